"""Stores a dispute: words and one file about an assertion, within an account's limits."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from leaderboard.disputes.notify import note_dispute
from leaderboard.disputes.subject import Disputed, find_disputed, find_verdict
from leaderboard.ledger.public_names import public_name
from leaderboard.models import Attempt, Blob, Dispute, clean
from leaderboard.rendering.text import strip_invisible
from leaderboard.storage import blobs
from leaderboard.uploads.receive import KIND, ReceivedFile
from runner.contract import Fault, Problem, ProblemError

MAX_WORDS_CHARS = 4_000
MAX_FILE_BYTES = 4 << 20
MAX_OF_ATTEMPT = 200
WINDOW = timedelta(days=1)

TOO_LARGE = Problem(
    Fault.SUBMITTER,
    "dispute_file_too_large",
    f"The file is larger than {MAX_FILE_BYTES >> 20} MiB.",
    "Send the part of it that shows the fault.",
)


def refuse(code: str, what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, code, what, next_step))


def count_left(account: Any) -> int:
    """Number of disputes that the account can still make today."""
    since = timezone.now() - WINDOW
    made = Dispute.objects.filter(account=account.pk, created_at__gt=since).count()
    return max(0, int(settings.DISPUTES_PER_DAY) - made)


def make_dispute(
    account: Any,
    attempt: Attempt,
    number: int,
    words: str,
    file: ReceivedFile | None = None,
    seen: int | None = None,
) -> Dispute:
    """Store a dispute of assertion `number` (0: the whole verdict). Raises ProblemError.

    `seen` is the verdict that was on the account's page, where that is known: the number is of its
    assertions.
    """
    require_same_verdict(attempt, seen)
    disputed = find_disputed(attempt, number)
    require_room(account, attempt)
    text = read_words(words)
    blob = keep_file(file) if file else None
    try:
        with transaction.atomic():
            dispute = Dispute.objects.create(
                attempt=attempt,
                verdict=disputed.verdict,
                assertion=disputed.number,
                assertion_name=name_of(disputed),
                words=text,
                account_id=account.pk,
                name=public_name(account),
                blob=blob,
                file_name=file.name if file else "",
            )
            note_dispute(attempt.run)
    except IntegrityError:
        raise refuse(
            "dispute_repeated",
            "You have already disputed this assertion of this verdict.",
            "Read it under Disputes; a maintainer rules on it.",
        ) from None
    return dispute


def require_same_verdict(attempt: Attempt, seen: int | None) -> None:
    verdict = find_verdict(attempt) if seen is not None else None
    if verdict is not None and verdict.pk != seen:
        raise refuse(
            "judged_again",
            "This attempt was judged again after you opened the form.",
            "Read the new verdict and choose the assertion again. Your words are kept.",
        )


def add_file(dispute: Dispute, account: Any, file: ReceivedFile) -> None:
    """Add the one file to the account's own open dispute. Raises ProblemError."""
    if dispute.account_id != account.pk or not dispute.is_open or dispute.blob_id:
        raise refuse(
            "no_file_taken",
            "This dispute takes no file.",
            "Only who disputed adds one file, before the first ruling.",
        )
    blob = keep_file(file)
    rows = Dispute.objects.filter(pk=dispute.pk, blob=None, state=Dispute.State.OPEN)
    rows.update(blob=blob, file_name=file.name)


def require_room(account: Any, attempt: Attempt) -> None:
    if not count_left(account):
        raise refuse(
            "disputes_used_up",
            f"You have made {settings.DISPUTES_PER_DAY} disputes in 24 hours.",
            "Come back tomorrow.",
        )
    if Dispute.objects.filter(attempt=attempt).count() >= MAX_OF_ATTEMPT:
        raise refuse(
            "disputes_full",
            f"This attempt already has {MAX_OF_ATTEMPT} disputes.",
            "Wait until a maintainer has ruled on them.",
        )


def read_words(words: str) -> str:
    """The words without control characters. Raises ProblemError for none or too many.

    The end of a line counts as one character, as the browser counts it.
    """
    text = clean(words.replace("\r\n", "\n")).strip()
    if not strip_invisible(text).strip():
        raise refuse("no_words", "The words are missing.", "Say what is wrong, and why.")
    if len(text) > MAX_WORDS_CHARS:
        raise refuse(
            "too_many_words",
            f"These are {len(text):,} characters.",
            f"Use {MAX_WORDS_CHARS:,} at most, and put the rest into the file.",
        )
    return text


def keep_file(file: ReceivedFile) -> Blob:
    """The file's bytes as they came. Raises ProblemError."""
    if file.size_bytes > MAX_FILE_BYTES:
        raise ProblemError(TOO_LARGE)
    with file.path.open("rb") as source:
        return blobs.keep(source, KIND, file.sha256, file.size_bytes)


def name_of(disputed: Disputed) -> str:
    return clean(disputed.assertion.name, 300) if disputed.assertion else ""
