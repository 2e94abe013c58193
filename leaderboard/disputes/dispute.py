"""Stores a dispute: words and one file about an assertion, within an account's limits."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction

from leaderboard.accounts import quotas
from leaderboard.disputes.notify import note_dispute
from leaderboard.disputes.subject import Disputed, find_disputed, find_verdict
from leaderboard.ledger.public_names import public_name
from leaderboard.models import AccountUse, Attempt, Blob, Dispute, clean
from leaderboard.rendering.text import strip_invisible
from leaderboard.storage import blobs
from leaderboard.uploads.receive import KIND, ReceivedFile
from runner.contract import Fault, Problem, ProblemError, refusal

MAX_WORDS_CHARS = 4_000
MAX_FILE_BYTES = 4 << 20
MAX_OF_ATTEMPT = 200

TOO_LARGE = Problem(
    Fault.SUBMITTER,
    "dispute_file_too_large",
    f"The file is larger than {MAX_FILE_BYTES >> 20} MiB.",
    "Send the part of it that shows the fault.",
)

REPEATED = Problem(
    Fault.SUBMITTER,
    "dispute_repeated",
    "You have already disputed this check of this verdict.",
    "Read it under Disputes; a maintainer rules on it.",
)


def count_left(account: Any) -> int:
    """Number of disputes that the account can still make today."""
    return quotas.count(account, AccountUse.Kind.DISPUTE).left


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
    text = read_words(words)
    require_room(attempt)
    same = {"verdict": disputed.verdict, "assertion": disputed.number, "account_id": account.pk}
    if Dispute.objects.filter(**same).exists():
        raise ProblemError(REPEATED)
    if file and file.size_bytes > MAX_FILE_BYTES:
        raise ProblemError(TOO_LARGE)
    quotas.use(account, AccountUse.Kind.DISPUTE)
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
        raise ProblemError(REPEATED) from None
    return dispute


def require_same_verdict(attempt: Attempt, seen: int | None) -> None:
    verdict = find_verdict(attempt) if seen is not None else None
    if verdict is not None and verdict.pk != seen:
        raise refusal(
            "judged_again",
            "This attempt was judged again after you opened the form.",
            "Read the new verdict and choose the check again. Your words are kept.",
        )


def add_file(dispute: Dispute, account: Any, file: ReceivedFile) -> None:
    """Add the one file to the account's own open dispute. Raises ProblemError."""
    if dispute.account_id != account.pk or not dispute.is_open or dispute.blob_id:
        raise refusal(
            "no_file_taken",
            "This dispute takes no file.",
            "Only who disputed adds one file, before the first ruling.",
        )
    blob = keep_file(file)
    rows = Dispute.objects.filter(pk=dispute.pk, blob=None, state=Dispute.State.OPEN)
    rows.update(blob=blob, file_name=file.name)


def require_room(attempt: Attempt) -> None:
    if Dispute.objects.filter(attempt=attempt).count() >= MAX_OF_ATTEMPT:
        raise refusal(
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
        raise refusal("no_words", "The words are missing.", "Say what is wrong, and why.")
    if len(text) > MAX_WORDS_CHARS:
        raise refusal(
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
