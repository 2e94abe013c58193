"""Links by which people without an account read one private run, until its owner ends it."""

from __future__ import annotations

import hashlib
import secrets

from django.contrib.auth.models import AnonymousUser

from leaderboard.models import Run, RunLink
from runner.contract import Fault, Problem, ProblemError

TOKEN_BYTES = 32


class LinkReader(AnonymousUser):
    """Whoever follows a link: nobody, but for one run."""

    def __init__(self, shared_run: int) -> None:
        super().__init__()
        self.shared_run = shared_run


def make_link(run: Run, is_guests: bool = False) -> str:
    """A new token for the run; an earlier one no longer works. ProblemError for a public run."""
    if run.is_public:
        raise ProblemError(
            Problem(
                Fault.SUBMITTER,
                "run_is_public",
                "Everybody can see this run already.",
                "Share the address of its page.",
            )
        )
    token = secrets.token_urlsafe(TOKEN_BYTES)
    facts = {"digest": digest_of(token), "is_guests": is_guests}
    RunLink.objects.update_or_create(run=run, defaults=facts)
    return token


def take_back(run_id: int) -> bool:
    """Delete the run's link; it leads nowhere from now on."""
    return bool(RunLink.objects.filter(run=run_id).delete()[0])


def find_run(token: str) -> Run | None:
    """The run that a token leads to, with what decides who else may see it."""
    found = RunLink.objects.filter(digest=digest_of(token)).select_related("run__entry").first()
    return found.run if found else None


def digest_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
