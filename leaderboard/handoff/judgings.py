"""Judgings as workers see them: which is due, its next attempts, and keeping what a judge said."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Collection, Mapping
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from leaderboard.judge.actions import has_consent, shown_runs, to_judge
from leaderboard.judge.ceilings import AT_CEILING
from leaderboard.judge.judges import profile_of
from leaderboard.judge.shown import show_attempt
from leaderboard.models import Attempt, JudgeVerdict, Judging, clean, pack
from leaderboard.queue import clock
from leaderboard.storage import encryption
from runner.contract import Ceiling, EndpointSpec, JudgingState, ProblemError
from runner.judge.profile import AskedAttempt, JudgeForm, JudgingJob
from runner.judge.reply_schema import ERROR

AT_ONCE = 2  # judgings, over all workers
LEASE = timedelta(minutes=15)  # renewed each minute; longer than the slowest call
RESTS = tuple(timedelta(seconds=s) for s in (15, 60, 300, 900))  # after a failure of the endpoint
SILENT_IN_A_ROW = 8  # judge errors without a reply: then the endpoint is at fault, not an attempt
OPEN_STATES = (JudgingState.QUEUED, JudgingState.RUNNING)
NO_REFERENCE = "The reference has no attempt at this task."
PRIVATE_NOW = "The run or its reference is private now. Its owner can have it sent to a judge."
UNREADABLE = "The stored record of this attempt could not be read, which is a fault of this site."

log = logging.getLogger(__name__)


class NotShown(Exception):
    """An attempt that no judge can be asked about. The message is a sentence."""


def find_due() -> Any:
    """Judgings that nobody works on; none while as many are played as may be at once."""
    now = clock.now()
    opened = Judging.objects.filter(state__in=OPEN_STATES)
    if opened.filter(lease_until__gte=now).count() >= AT_ONCE:
        return opened.none()
    is_free = Q(lease_until=None) | Q(lease_until__lt=now)
    has_rested = Q(not_before=None) | Q(not_before__lte=now)
    return opened.filter(is_free, has_rested)


def take_due() -> JudgingJob | None:
    """Claim the oldest judging that nobody works on; None if there is none."""
    due = find_due()
    for judging in due.select_related("judge").order_by("pk")[:10]:
        token = uuid.uuid4()
        claimed = due.filter(pk=judging.pk).update(
            token=token, lease_until=clock.now() + LEASE, state=JudgingState.RUNNING
        )
        if not claimed:
            continue
        try:
            return job_of(judging, token)
        except ProblemError as error:
            end(judging.pk, token, JudgingState.FAILED, error.problem.sentence)
    return None


def job_of(judging: Judging, token: uuid.UUID) -> JudgingJob:
    judge = judging.judge
    profile = profile_of(judge)
    endpoint = EndpointSpec(
        base_url=judge.base_url,
        model=profile.model,
        api_key=encryption.decrypt(judge.encrypted_key),
        stream=False,
        temperature=profile.temperature,
        max_tokens=profile.max_tokens,
    )
    return JudgingJob(
        judging_id=judging.pk,
        token=str(token),
        profile=profile,
        endpoint=endpoint,
        reply_format=judging.reply_format,
        prices=Ceiling(**judging.ceiling_prices),
        left=None if judging.ceiling is None else judging.ceiling - judging.spent,
    )


def mine(job: JudgingJob) -> Any:
    """The judging's row, while this claim of it counts."""
    return Judging.objects.filter(pk=job.judging_id, token=job.token, state=JudgingState.RUNNING)


def next_attempts(
    job: JudgingJob, most: int, under_way: Collection[int] = ()
) -> list[AskedAttempt]:
    """The next attempts without a verdict; renews the lease.

    None when all have one, which ends the judging unless calls are `under_way`, or when it was
    stopped or taken over.
    """
    judging = mine(job).select_related("run__entry", "reference__entry").first()
    if judging is None:
        if not under_way:
            give_back(job)
        return []
    if not all(has_consent(run, judging.asked_by_id) for run in shown_runs(judging)):
        end(job.judging_id, job.token, JudgingState.STOPPED, PRIVATE_NOW)
        return []
    mine(job).update(lease_until=clock.now() + LEASE)
    left = to_judge(judging.run).exclude(judge_verdicts__judging=judging)
    left = left.exclude(pk__in=under_way)
    asked: list[AskedAttempt] = []
    while most > 0 and not asked:
        attempts = list(left[:most])
        if not attempts:
            if not under_way:
                end(job.judging_id, job.token, JudgingState.DONE, "")
            return []
        asked = [one for one in (ask_about(job, judging, a) for a in attempts) if one]
    return asked


def ask_about(job: JudgingJob, judging: Judging, attempt: Attempt) -> AskedAttempt | None:
    """The attempt as the judge sees it; None, with a judge error, where that cannot be made."""
    try:
        return show_both(job, judging, attempt)
    except NotShown as error:
        problem = str(error)
    except Exception:  # whatever a stored record does to its readers, the others are judged
        log.exception("attempt=%s cannot be shown to a judge", attempt.pk)
        problem = UNREADABLE
    keep_verdict(judging.pk, attempt.pk, attempt.counted_try, {"problem": problem})
    return None


def show_both(job: JudgingJob, judging: Judging, attempt: Attempt) -> AskedAttempt:
    """The attempt, in the pairwise form with its reference. Raises NotShown without one."""
    images = job.profile.takes_images
    reference = None
    if job.profile.form is JudgeForm.PAIRWISE:
        found = to_judge(judging.reference) if judging.reference else Attempt.objects.none()
        other = found.filter(task=attempt.task_id).order_by("number").first()
        if other is None:
            raise NotShown(NO_REFERENCE)
        reference = show_attempt(other, takes_images=images)
    shown = show_attempt(attempt, takes_images=images)
    return AskedAttempt(attempt.pk, attempt.counted_try, shown, reference)


@transaction.atomic
def record(job: JudgingJob, asked: AskedAttempt, answer: Any, reply_format: str) -> None:
    """Count what an answer took, and keep it, once, unless the judging was stopped or taken over
    in the meantime."""
    charge(job, answer)
    judging = mine(job).select_for_update().first()
    if judging is None:
        return
    opinion = answer.opinion
    kept = keep_verdict(
        judging.pk,
        asked.attempt_id,
        asked.try_number,
        {
            "verdict": answer.verdict,
            "criteria": [clean_criterion(asdict(c)) for c in opinion.criteria] if opinion else [],
            "extra": dict(opinion.extra) if opinion else {},
            "reason": clean(opinion.reason) if opinion else "",
            "problem": clean(answer.problem, 600),
            "raw": pack(answer.raw),
            "replies": answer.replies,
            "replied_as": clean(answer.model, 300),
            "prompt_tokens": answer.usage.prompt_tokens,
            "completion_tokens": answer.usage.completion_tokens,
        },
    )
    if not kept:
        return
    judging.reply_format, judging.failures = reply_format, 0
    judging.save(update_fields=["reply_format", "failures"])
    if answer.replies == 0 and is_silent(judging):
        end(judging.pk, job.token, JudgingState.FAILED, f"{answer.problem} Check the endpoint.")


@transaction.atomic
def charge(job: JudgingJob, answer: Any) -> None:
    """Count what replies took, in the unit that the ceiling has now. Who stops a judging, or takes
    it over, does not get back what was spent."""
    if not (answer.sent or answer.said):
        return
    judging = Judging.objects.select_for_update().filter(pk=job.judging_id).first()
    if judging is not None:
        judging.spent += Ceiling(**judging.ceiling_prices).price(answer.sent, answer.said)
        judging.save(update_fields=["spent"])


def clean_criterion(criterion: dict[str, Any]) -> dict[str, Any]:
    return {**criterion, "steps": list(criterion["steps"]), "why": clean(criterion["why"])}


def keep_verdict(
    judging_id: int, attempt_id: int, try_number: int, columns: Mapping[str, Any]
) -> bool:
    """Store a verdict, a judge error unless `columns` name another; False if there is one."""
    if not Attempt.objects.filter(pk=attempt_id).exists():
        return False
    _, is_new = JudgeVerdict.objects.get_or_create(
        judging_id=judging_id,
        attempt_id=attempt_id,
        defaults={"try_number": try_number, "verdict": ERROR, **columns},
    )
    return is_new


def is_silent(judging: Judging) -> bool:
    last = judging.verdicts.order_by("-pk").values_list("verdict", "replies")[:SILENT_IN_A_ROW]
    found = list(last)
    return len(found) == SILENT_IN_A_ROW and set(found) == {(ERROR, 0)}


def stop_at_ceiling(job: JudgingJob) -> None:
    end(job.judging_id, job.token, JudgingState.STOPPED, AT_CEILING)


def note_failure(job: JudgingJob, said: str) -> None:
    """Rest and try again; give up after the last rest."""
    judging = mine(job).first()
    if judging is None:
        give_back(job)
        return
    if judging.failures >= len(RESTS):
        end(judging.pk, job.token, JudgingState.FAILED, said)
        return
    mine(job).update(
        state=JudgingState.QUEUED,
        problem=clean(said, 1_000),
        lease_until=None,
        not_before=clock.now() + RESTS[judging.failures],
        failures=judging.failures + 1,
    )


def give_back(job: JudgingJob) -> None:
    """Let others take it up at once: no call of this claim is under way any more."""
    Judging.objects.filter(pk=job.judging_id, token=job.token).update(lease_until=None)


def end(judging_id: int, token: uuid.UUID | str, state: JudgingState, problem: str) -> None:
    Judging.objects.filter(pk=judging_id, token=token).update(
        state=state, problem=clean(problem, 1_000), lease_until=None, finished_at=clock.now()
    )
