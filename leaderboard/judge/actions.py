"""Acts of maintainers: judge a run, judge a board, stop, resume. None of them touches a check."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from leaderboard.judge.judges import SCRIPTED_MODEL, profile_of
from leaderboard.judge.shown import show_attempt
from leaderboard.models import Attempt, Entry, Judge, JudgeVerdict, Judging, Run, Suite
from leaderboard.money.ceiling import AskedCeiling, Stored, settle_on
from leaderboard.money.lookup import find_price
from leaderboard.money.providers import provider_of
from leaderboard.queue.messages import send_judge
from leaderboard.submissions.submission import refusal
from runner.contract import JudgingState, ProblemError, Status
from runner.judge.messages import build_messages, estimate_tokens
from runner.judge.profile import JudgeForm
from runner.judge.reply_schema import ERROR

SAMPLED = 8  # attempts of which a forecast is made
REPLY_TOKENS = (150, 600)  # of a verdict: usual ones
SPARE = 1.5  # estimates of prompts are too high by about as much
AT_CEILING = "The next call does not fit under the ceiling. Raise the ceiling, then resume."


@dataclass(frozen=True)
class JudgeForecast:
    """Tokens that judging takes, as a range."""

    attempts: int
    low: int
    high: int

    @property
    def stored(self) -> dict[str, int]:
        return {"attempts": self.attempts, "low": self.low, "high": self.high}


def to_judge(run: Run) -> Any:
    """Attempts of a run that a judge is asked about: those with a verdict of the check."""
    done = Attempt.objects.filter(run=run, status=Status.DONE, passed__isnull=False)
    return done.select_related("run__entry__owner", "task").order_by("pk")


def mean_tokens(judge: Judge, run: Run) -> float:
    """Tokens of a request, from a few attempts evenly spaced; pictures as far as they are shown."""
    ids = list(to_judge(run).values_list("pk", flat=True))
    chosen = ids[:: max(1, -(-len(ids) // SAMPLED))]
    sizes = [estimate_attempt(judge, attempt) for attempt in to_judge(run).filter(pk__in=chosen)]
    return sum(sizes) / max(1, len(sizes)) * (2 if judge.form == JudgeForm.PAIRWISE else 1)


def forecast_run(judge: Judge, run: Run, mean: float | None = None) -> JudgeForecast:
    """Tokens for a whole run; `mean`: of a request, where it is known from another run."""
    count = to_judge(run).count()
    mean = mean_tokens(judge, run) if mean is None else mean
    low, high = (round(count * (mean / spare + tokens)) for spare, tokens in (
        (SPARE, REPLY_TOKENS[0]), (1, REPLY_TOKENS[1])
    ))  # fmt: skip
    return JudgeForecast(count, low, high)


def estimate_attempt(judge: Judge, attempt: Attempt) -> int:
    shown = show_attempt(attempt, takes_images=judge.takes_images)
    return estimate_tokens(build_messages("single", shown, takes_images=judge.takes_images))


@transaction.atomic
def judge_run(
    judge: Judge,
    run: Run,
    *,
    ceiling: AskedCeiling | None = None,
    reference: Run | None = None,
    asked_by: Any = None,
    mean: float | None = None,
) -> Judging:
    """Queue a judge's verdicts on a run; one that is queued or done is left as it is.

    Raises ProblemError for a run that is not over, somebody's private run, an outdated judge, and
    a pairwise judge without a reference.
    """
    profile_of(judge)
    existing = Judging.objects.filter(run=run, judge=judge).first()
    if existing:
        is_left = existing.is_open or (existing.state == JudgingState.DONE and not ceiling)
        return existing if is_left else resume(existing.pk, ceiling=ceiling)
    if not run.is_over:
        raise refusal(
            "run_not_over", f"Run {run.pk} is not over.", "Wait for its end, or cancel it."
        )
    require_consent(run, asked_by)
    if not to_judge(run).exists():
        raise refusal(
            "nothing_to_judge",
            f"No attempt of run {run.pk} has a verdict of its check.",
            "Choose a run that was played or scored here.",
        )
    if judge.form == JudgeForm.PAIRWISE:
        reference = reference or find_reference(run)
    judging = Judging.objects.create(
        run=run,
        judge=judge,
        reference=reference if judge.form == JudgeForm.PAIRWISE else None,
        forecast=forecast_run(judge, run, mean).stored,
        asked_by_id=getattr(asked_by, "pk", None),
        **stored_ceiling(judge, ceiling).columns,
    )
    transaction.on_commit(lambda: send_judge(judging.pk))
    return judging


def require_consent(run: Run, asked_by: Any) -> None:
    """A judge's endpoint is somebody else's: a private run goes there at its owner's wish alone."""
    owner = run.entry.owner_id
    if not run.is_public and owner and owner != getattr(asked_by, "pk", None):
        raise refusal(
            "run_is_private",
            f"Run {run.pk} is private: only its owner can have it sent to a judge.",
            "Ask its owner to publish it.",
        )


def judge_board(judge: Judge, suite: Suite, **more: Any) -> list[Judging]:
    """Queue a judge's verdicts on every complete run of a suite's board."""
    profile_of(judge)
    runs = Run.objects.on_board().filter(suite=suite, status=Status.DONE)
    judged = [run for run in runs.select_related("entry").order_by("pk") if to_judge(run).exists()]
    if not judged:
        raise refusal(
            "nothing_to_judge", f"The board of {suite} has no complete run.", "Play one first."
        )
    mean = mean_tokens(judge, judged[-1])
    return [judge_run(judge, run, mean=mean, **more) for run in judged]


def judge_next_baseline() -> None:
    """Queue the scripted judge's verdicts on a scripted baseline that has none.

    So the trial can be looked at without a network. One query where no such judge is registered.
    """
    judge = Judge.objects.filter(is_scripted=True, model_name=SCRIPTED_MODEL).order_by("pk").last()
    if judge is None:
        return
    judged = Judging.objects.filter(judge=judge).values("run")
    baselines = Run.objects.on_board().filter(
        status=Status.DONE, entry__provenance=Entry.Provenance.SCRIPTED
    )
    run = baselines.exclude(pk__in=judged).order_by("pk").first()
    if run is not None:
        with suppress(ProblemError):  # an outdated judge, or nothing to judge
            judge_run(judge, run)


def find_reference(run: Run) -> Run:
    """The run of the reference solutions on the same suite and seed."""
    references = Run.objects.on_board().filter(
        suite=run.suite_id,
        seed=run.seed,
        status=Status.DONE,
        entry__provenance=Entry.Provenance.SCRIPTED,
        entry__model_name="reference",
    )
    found: Run | None = references.exclude(pk=run.pk).order_by("pk").first()
    if found is None:
        raise refusal(
            "no_reference",
            f"There is no run of the reference solutions beside run {run.pk}.",
            "Name a reference run on the same suite and seed.",
        )
    return found


def stored_ceiling(judge: Judge, asked: AskedCeiling | None) -> Stored:
    today = datetime.now(UTC).date()
    price = find_price(provider_of(judge.base_url), judge.model_name, today)
    return settle_on(asked or AskedCeiling(), price, judge.max_tokens)


@transaction.atomic
def stop(judging_id: int) -> Judging:
    """Ask no more; calls under way are dropped, verdicts stay."""
    judging = Judging.objects.select_for_update().get(pk=judging_id)
    if judging.is_open:
        judging.state, judging.problem = JudgingState.STOPPED, "Stopped by a maintainer."
        judging.save(update_fields=["state", "problem"])
    return judging


@transaction.atomic
def resume(judging_id: int, *, ceiling: AskedCeiling | None = None) -> Judging:
    """Go on with what has no verdict; judge errors without a reply are asked again.

    Raises ProblemError for a ceiling below what is spent.
    """
    judging = Judging.objects.select_for_update().select_related("judge", "run").get(pk=judging_id)
    if judging.is_open:
        return judging
    if ceiling:
        stored = stored_ceiling(judging.judge, ceiling)
        if (stored.ceiling or 0) <= judging.spent:
            raise refusal(
                "ceiling_too_small",
                "The ceiling is not above what is spent already.",
                "Raise it, or leave it out.",
            )
        judging.ceiling, judging.ceiling_prices = stored.ceiling, stored.prices or {}
    JudgeVerdict.objects.filter(judging=judging, verdict=ERROR, replies=0).delete()
    judging.state, judging.problem, judging.failures = JudgingState.QUEUED, "", 0
    judging.not_before = judging.lease_until = judging.finished_at = None
    judging.save()
    transaction.on_commit(lambda: send_judge(judging.pk))
    return judging


def count_left(judging: Judging) -> int:
    """Attempts without a verdict of this judge."""
    return int(to_judge(judging.run).exclude(judge_verdicts__judging=judging).count())
