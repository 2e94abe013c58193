"""Makes an account an auditor, who reads those private runs that their owners let them read."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from leaderboard.audits.grants import give_role, take_role
from leaderboard.ledger.public_names import public_name


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", help="e-mail address of an account of this site")
        parser.add_argument(
            "--end", action="store_true", help="end the role, and all that owners let it read"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(User.objects.filter(email__iexact=options["email"], is_active=True)[:2])
        if len(found) != 1:
            count = "No account" if not found else "More than one account"
            raise CommandError(f"{count} has the address {options['email']}.")
        [user] = found
        if options["end"]:
            ended = take_role(user)
            runs = f"{ended} run{'' if ended == 1 else 's'}"
            self.stdout.write(f"{public_name(user)} is not an auditor any longer; {runs} closed")
        else:
            give_role(user)
            self.stdout.write(f"{public_name(user)} is an auditor; owners let it read their runs")
