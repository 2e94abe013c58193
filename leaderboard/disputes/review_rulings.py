"""What an owner answers to a review of a run, and how a maintainer rules on it."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from leaderboard.disputes.dispute import read_words
from leaderboard.ledger.acts import enter_review
from leaderboard.ledger.public_names import public_name
from leaderboard.models import Run, RunReview
from runner.contract import refusal

RULINGS = {
    RunReview.Ruling.CLEARED: "Clear it: the run is ranked",
    RunReview.Ruling.UPHELD: "Uphold it: the run stays unranked",
}


def answer(review: RunReview, words: str) -> None:
    """Keep the owner's words, in place of earlier ones, until a maintainer has ruled.

    Raises ProblemError for no words, too many, or when there is a ruling.
    """
    text = read_words(words)
    is_open = RunReview.objects.filter(pk=review.pk, ruling=RunReview.Ruling.OPEN)
    if not is_open.update(answer=text, answered_at=timezone.now()):
        raise refusal("ruled", "A maintainer has ruled on this review.", "Read the ruling below.")


def rule(review: RunReview, maintainer: Any, ruling: str, reason: str) -> None:
    """Clear or uphold a review, with a reason that everybody who sees the run can read.

    A later ruling takes the place of an earlier one; the ledger has both. Raises ProblemError for
    an unknown ruling, no reason, or too long a one.
    """
    if ruling not in RULINGS:
        raise refusal("unknown_ruling", "There is no such ruling.", "Clear or uphold the review.")
    review.ruling, review.ruling_reason = ruling, read_words(reason)
    review.ruled_by_id, review.ruled_at = maintainer.pk, timezone.now()
    with transaction.atomic():
        review.save(update_fields=["ruling", "ruling_reason", "ruled_by", "ruled_at"])
        Run.objects.filter(pk=review.run_id).update(is_filed=False)  # so that it is ranked again
        enter_review(review, public_name(maintainer))
