"""Acts of maintainers: judge a run, judge a board, stop, resume. None of them touches a check."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import Sum

from leaderboard.judge.ceilings import ceiling_of
from leaderboard.judge.judges import SCRIPTED_MODEL, profile_of
from leaderboard.judge.shown import show_attempt
from leaderboard.models import Attempt, Entry, Judge, JudgeVerdict, Judging, Run, Suite
from leaderboard.money.ceiling import (
    MICRO,
    AskedCeiling,
    Stored,
    prices_of,
    settle_on,
)
from leaderboard.money.cost import TokenPrice
from leaderboard.money.lookup import find_price
from leaderboard.money.providers import provider_of
from leaderboard.queue.messages import send_judge
from runner.contract import Ceiling, JudgingState, ProblemError, Status, refusal
from runner.judge.messages import build_messages, estimate_tokens
from runner.judge.profile import JudgeForm
from runner.judge.reply_schema import ERROR

SAMPLED = 8  # attempts of which a forecast is made
REPLY_TOKENS = (150, 600)  # of a verdict: usual ones
SPARE = 1.5  # estimates of prompts are too high by about as much
NOT_RAISED = ("ceiling_reached", "ceiling_too_small", "judging_is_open")  # codes of `judge_run`


@dataclass(frozen=True)
class JudgeForecast:
    """Tokens that judging takes, as a range; and dollars, for a judge with a price."""

    attempts: int
    low: int
    high: int
    dollars: tuple[float, float] | None = None

    @property
    def stored(self) -> dict[str, Any]:
        counts = {"attempts": self.attempts, "low": self.low, "high": self.high}
        return {**counts, "dollars": self.dollars} if self.dollars else counts


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
    ends = [
        (count * mean / SPARE, count * REPLY_TOKENS[0]),
        (count * mean, count * REPLY_TOKENS[1]),
    ]
    low, high = (round(sent + said) for sent, said in ends)
    if (price := price_of(judge)) is None:
        return JudgeForecast(count, low, high)
    prices = Ceiling(**prices_of(price))
    least, most = (prices.price(round(sent), round(said)) / MICRO for sent, said in ends)
    return JudgeForecast(count, low, high, (least, most))


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
    """Queue a judge's verdicts on a run; one that is queued or done is left as it is, one that
    stopped goes on, as `resume` and `go_on_with` say.

    Raises ProblemError for a run that is not over, somebody's private run, an outdated judge, and
    a pairwise judge without a reference.
    """
    profile_of(judge)
    existing = Judging.objects.filter(run=run, judge=judge).first()
    if existing:
        return go_on_with(existing, ceiling, asked_by)
    if not run.is_over:
        raise refusal(
            "run_not_over", f"Run {run.pk} is not over.", "Wait for its end, or cancel it."
        )
    require_consent(run, getattr(asked_by, "pk", None))
    if not to_judge(run).exists():
        raise refusal(
            "nothing_to_judge",
            f"No attempt of run {run.pk} has a verdict of its check.",
            "Choose a run that was played or scored here.",
        )
    if judge.form == JudgeForm.PAIRWISE:
        reference = reference or find_reference(run)
        require_consent(reference, getattr(asked_by, "pk", None))
    columns = {
        "reference": reference if judge.form == JudgeForm.PAIRWISE else None,
        "forecast": forecast_run(judge, run, mean).stored,
        "asked_by_id": getattr(asked_by, "pk", None),
        **stored_ceiling(judge, ceiling).columns,
    }
    judging, is_new = Judging.objects.get_or_create(run=run, judge=judge, defaults=columns)
    if not is_new:  # somebody else asked at the same moment
        return go_on_with(judging, ceiling, asked_by)
    transaction.on_commit(send_judge)
    return judging


def go_on_with(judging: Judging, ceiling: AskedCeiling | None, asked_by: Any) -> Judging:
    """One that is open or done as it is; else resumed. ProblemError for an open one that has not
    the ceiling that is asked for: money would be spent beyond it."""
    if judging.is_open and ceiling:
        has = {"ceiling": judging.ceiling, "ceiling_prices": judging.ceiling_prices}
        if stored_ceiling(judging.judge, ceiling).columns != has:
            raise refusal(
                "judging_is_open",
                f"Run {judging.run_id} is being judged already, without this ceiling.",
                "Stop that at /judge/ask/, then ask again.",
            )
    elif not judging.is_open and judging.state != JudgingState.DONE:
        return resume(judging.pk, ceiling=ceiling, asked_by=asked_by)
    return judging


def has_consent(run: Run, asked_by_id: int | None) -> bool:
    """A judge's endpoint is somebody else's: a private run goes there at its owner's wish alone."""
    return run.is_public or run.entry.owner_id in (None, asked_by_id)


def shown_runs(judging: Judging) -> list[Run]:
    """The runs of which a judge sees attempts."""
    return [judging.run, judging.reference] if judging.reference else [judging.run]


def require_consent(run: Run, asked_by_id: int | None) -> None:
    if not has_consent(run, asked_by_id):
        raise refusal(
            "run_is_private",
            f"Run {run.pk} is private: only its owner can have it sent to a judge.",
            "Ask its owner to publish it.",
        )


def judge_board(judge: Judge, suite: Suite, **more: Any) -> list[Judging]:
    """Queue a judge's verdicts on every complete run of a suite's board; those that stopped at a
    ceiling which is not raised stay so."""
    profile_of(judge)
    runs = Run.objects.on_board().filter(suite=suite, status=Status.DONE)
    judged = [run for run in runs.select_related("entry").order_by("pk") if to_judge(run).exists()]
    if not judged:
        raise refusal(
            "nothing_to_judge", f"The board of {suite} has no complete run.", "Play one first."
        )
    mean = mean_tokens(judge, judged[-1])
    return [judge_or_leave(judge, run, mean=mean, **more) for run in judged]


def judge_or_leave(judge: Judge, run: Run, **more: Any) -> Judging:
    try:
        return judge_run(judge, run, **more)
    except ProblemError as error:
        if error.problem.code not in NOT_RAISED:
            raise
        return Judging.objects.get(judge=judge, run=run)


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
    return settle_on(asked or AskedCeiling(), price_of(judge), judge.max_tokens)


def price_of(judge: Judge) -> TokenPrice | None:
    today = datetime.now(UTC).date()
    return find_price(provider_of(judge.base_url), judge.model_name, today)


@transaction.atomic
def stop(judging_id: int) -> Judging:
    """Ask no more. Of calls under way only the cost is kept; verdicts stay."""
    judging = Judging.objects.select_for_update().get(pk=judging_id)
    if judging.is_open:
        judging.state, judging.problem = JudgingState.STOPPED, "Stopped by a maintainer."
        judging.save(update_fields=["state", "problem"])
    return judging


@transaction.atomic
def resume(
    judging_id: int, *, ceiling: AskedCeiling | None = None, asked_by: Any = None
) -> Judging:
    """Go on with what has no verdict; judge errors without a reply are asked again.

    Where calls from before are under way, it goes on once they are over. Raises ProblemError for
    an outdated judge, one that stopped at its ceiling and gets no higher one, and for a ceiling
    that is not above what is spent; and for a run that became private, unless its owner asks.
    """
    rows = Judging.objects.select_for_update(of=("self",))
    judging = rows.select_related("judge", "run__entry").get(pk=judging_id)
    if judging.is_open:
        return judging
    profile_of(judging.judge)
    if asked_by is not None and asked_by.pk == judging.run.entry.owner_id:
        judging.asked_by_id = asked_by.pk
    for run in shown_runs(judging):
        require_consent(run, judging.asked_by_id)
    if ceiling:
        change_ceiling(judging, ceiling)
    elif (use := ceiling_of(judging)) and use.is_reached:
        raise refusal(
            "ceiling_reached",
            f"This judging stopped at its ceiling: {use.words}.",
            "Resume it with a higher ceiling.",
        )
    JudgeVerdict.objects.filter(judging=judging, verdict=ERROR, replies=0).delete()
    judging.state, judging.problem, judging.failures = JudgingState.QUEUED, "", 0
    judging.not_before = judging.finished_at = None
    judging.save()
    transaction.on_commit(send_judge)
    return judging


def change_ceiling(judging: Judging, asked: AskedCeiling) -> None:
    """Set another ceiling, also in the other unit: what is spent is counted anew then."""
    stored = stored_ceiling(judging.judge, asked)
    was_money = bool(judging.ceiling_prices)
    judging.ceiling, judging.ceiling_prices = stored.ceiling, stored.prices or {}
    if bool(stored.prices) != was_money:
        judging.spent = count_spent(judging)
    use = ceiling_of(judging)
    assert use is not None
    if use.spent >= use.ceiling:
        raise refusal(
            "ceiling_too_small", f"This judging has used {use.words}.", "Give a ceiling above that."
        )


def count_spent(judging: Judging) -> int:
    """Use of every recorded verdict, in the unit of the ceiling."""
    sums = judging.verdicts.aggregate(sent=Sum("prompt_tokens"), said=Sum("completion_tokens"))
    return Ceiling(**judging.ceiling_prices).price(sums["sent"] or 0, sums["said"] or 0)


def count_left(judging: Judging) -> int:
    """Attempts without a verdict of this judge."""
    return int(to_judge(judging.run).exclude(judge_verdicts__judging=judging).count())
