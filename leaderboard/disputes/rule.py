"""A maintainer's ruling on a dispute: added after the earlier ones, which stay."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction

from leaderboard.disputes.dispute import read_words
from leaderboard.disputes.notify import RULED, note_dispute
from leaderboard.ledger.acts import of_run
from leaderboard.ledger.kinds import ActKind
from leaderboard.ledger.public_names import public_name
from leaderboard.models import Dispute, Ruling
from runner.contract import ProblemError, refusal


def rule(dispute: Dispute, maintainer: Any, kind: str, words: str, seen: int) -> Ruling:
    """Add a ruling to a dispute of which the maintainer has seen `seen` rulings.

    Raises ProblemError for an unknown kind, wrong words, or when another ruling came first.
    """
    if kind not in Ruling.Kind.values:
        known = ", ".join(Ruling.Kind.values)
        raise refusal("unknown_ruling", "There is no such ruling.", f"Use one of {known}.")
    text = read_words(words)
    try:
        with transaction.atomic():
            there = Ruling.objects.filter(dispute=dispute).count()
            if there != seen:
                raise ruled_meanwhile()
            ruling = Ruling(
                dispute=dispute,
                number=seen + 1,
                kind=kind,
                words=text,
                account_id=maintainer.pk,
                name=public_name(maintainer),
            )
            ruling.save()
            Dispute.objects.filter(pk=dispute.pk).update(state=kind)
            note_dispute(dispute.attempt.run, RULED)
            enter_ruling(dispute, ruling)
    except IntegrityError:  # both began at the same moment
        raise ruled_meanwhile() from None
    return ruling


def enter_ruling(dispute: Dispute, ruling: Ruling) -> None:
    """Have the ledger hold the ruling: openly only while the run is public."""
    run = dispute.attempt.run
    facts = {
        "run": run.pk,
        "dispute": dispute.pk,
        "task": dispute.attempt.task.key,
        "assertion": dispute.assertion_name,
        "ruling": ruling.kind,
        "number": ruling.number,
        "reason": ruling.words,
    }
    of_run(run, ActKind.RULING, f"dispute {dispute.pk}", facts, ruling.name)


def ruled_meanwhile() -> ProblemError:
    return refusal(
        "ruled_meanwhile",
        "Somebody ruled on this dispute after you opened its page.",
        "Read that ruling. If yours is still needed, send it again.",
    )
