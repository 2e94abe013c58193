"""The door of `manage.py`: a command whose database fails ends with a sentence."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from django.core.management import execute_from_command_line
from django.db import DatabaseError, OperationalError

NO_TABLE = ("no such table", "no such column", "does not exist")


def run(argv: Sequence[str]) -> None:
    """Run a command of Django's. Exits with a sentence when the database does not serve it, and
    with Django's traceback where `--traceback` asks for that.
    """
    try:
        execute_from_command_line(list(argv))
    except DatabaseError as error:
        told = tell(error)
        if not told or "--traceback" in argv:
            raise
        sys.exit(told)


def tell(error: DatabaseError) -> str:
    """Fault, cause and remedy; "" for what is no fault of the database."""
    words = " ".join(str(error).split())
    if any(phrase in words for phrase in NO_TABLE):
        return (
            f"The database lacks what this version needs: {words}. Run `manage.py migrate`, or "
            "check that DATABASE_URL and PYBENCH_VAR name the right site."
        )
    if isinstance(error, OperationalError):
        return (
            f"The database does not serve this command: {words}. Check that DATABASE_URL is right "
            "and that the database runs, then run the command again."
        )
    return ""
