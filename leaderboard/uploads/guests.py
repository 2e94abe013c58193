"""Shows one file at a time to somebody without an account: privately, and not for long.

Its run has no owner and a link whose token only this visitor's session holds. The pages behind the
link answer to that session alone (`leaderboard.views.shared_runs`).
"""

from __future__ import annotations

from collections.abc import MutableMapping
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from leaderboard.models import Import, Run
from leaderboard.sharing.private_link import make_link, take_back
from leaderboard.uploads.confined import GUESTS, one_of_address, read_confined
from leaderboard.uploads.delete import SHOWN_FOR, delete_upload
from leaderboard.uploads.keep import StoredUpload, conclude_soon, keep_read, report_of, store
from leaderboard.uploads.reading import Brought, read_in_parts
from leaderboard.uploads.receive import ReceivedFile, too_large
from leaderboard.visitors.page_limits import Allowance
from runner.contract import ProblemError, refusal

MOST_BYTES = 8 << 20  # of a file
MOST_ATTEMPTS = 100  # in it
MOST_STEPS = 10_000  # of all of them
FILES_AN_HOUR = 20  # of an address
MOST_KEPT = 200  # files of all visitors; then the oldest gives way
IN_SESSION = "shown_upload"

FILES = Allowance(burst_s=FILES_AN_HOUR, refill_s=3600.0)  # by address, in each web process

Session = MutableMapping[str, Any]


def kept_for_guests() -> Q:
    """Runs of files that are shown to somebody without an account."""
    return Q(link__is_guests=True, created_at__gte=timezone.now() - SHOWN_FOR)


def show_to_guest(session: Session, visitor: str, file: ReceivedFile, title: str = "") -> Run:
    """The run of the file, in the place of the one that the session had. Raises ProblemError.

    `visitor` is the address of whoever sent it.
    """
    require_size(file)
    with one_of_address(visitor):
        count_file(visitor)
        parts = read_confined(read_in_parts, file.path, file.name, lines=[GUESTS])
        brought: Brought = next(parts)
        require_few(brought)
        read = keep_read(file, chain([brought], parts))
        for oldest in Run.objects.filter(kept_for_guests()).order_by("-pk")[MOST_KEPT - 1 :]:
            delete(oldest)
        stored = store(read, title)
        token = keep_with_link(stored)
    forget(session)
    session[IN_SESSION] = {"run": stored.run.pk, "token": token}
    conclude_soon(stored.run)
    return stored.run


def require_size(file: ReceivedFile) -> None:
    """ProblemError for a file that is too large, or empty."""
    if file.size_bytes > MOST_BYTES:
        raise ProblemError(too_large(MOST_BYTES))
    if not file.size_bytes:
        raise refusal("upload_empty", f"{file.name} is empty.", "Choose another file.")


def require_few(brought: Brought) -> None:
    """ProblemError for more attempts or steps than are stored for somebody without an account."""
    if len(brought.attempts) > MOST_ATTEMPTS or brought.steps > MOST_STEPS:
        raise refusal(
            "upload_too_many",
            f"The file holds more than {MOST_ATTEMPTS} attempts or {MOST_STEPS:,} steps.",
            "Sign in to look at more at once, or send a part of it.",
        )


def count_file(visitor: str) -> None:
    """Count a file for the visitor's address. ProblemError for one too many."""
    if FILES.spent_s(visitor) > FILES_AN_HOUR - 1:
        raise refusal(
            "upload_quota_used_up",
            f"More than {FILES_AN_HOUR} files came from your address within an hour.",
            "Try again later, or sign in.",
        )
    FILES.charge(visitor, 1.0)


@transaction.atomic
def keep_with_link(stored: StoredUpload) -> str:
    """The link's token: with the file's row and its link the run is one that is shown."""
    read = stored.read
    Import.objects.create(
        blob=read.blob, run=stored.run, name=read.file.name, report=report_of(read.brought)
    )
    return make_link(stored.run, is_guests=True)


def find_shown(session: Session) -> tuple[Run, str] | None:
    """The session's run and its token; None without one, or once it is deleted."""
    shown = session.get(IN_SESSION)
    if not shown:
        return None
    run = Run.objects.filter(kept_for_guests(), pk=shown["run"]).select_related("entry").first()
    return (run, shown["token"]) if run else None


def is_shown_to(session: Session, run: Run) -> bool:
    return bool(session.get(IN_SESSION, {}).get("run") == run.pk)


def forget(session: Session) -> None:
    """Delete the session's file with everything that was made from it."""
    found = find_shown(session)
    session.pop(IN_SESSION, None)
    if found:
        delete(found[0])


def delete(run: Run) -> None:
    take_back(run.pk)
    delete_upload(run)
