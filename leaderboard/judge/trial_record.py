"""A judge's trial as programs get it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from leaderboard.judge.trial import JudgeTrial, TrialLine
from leaderboard.scoring.agreement import Confusion, IntervalEstimate

Record = dict[str, Any]


def record_trial(trial: JudgeTrial) -> Record:
    judge = trial.judge
    return {
        "judge": judge.slug,
        "name": judge.name,
        "is_scripted": judge.is_scripted,
        "model": judge.model_name,
        "replied_as": dict(trial.replied_as),
        "form": judge.form,
        "takes_images": judge.takes_images,
        "prompt_version": judge.prompt_version,
        "prompt_digest": judge.prompt_digest,
        "digest": judge.digest,
        "overall": record_line(trial.overall),
        "models": [record_line(line) for line in trial.models],
        "categories": [record_line(line) for line in trial.categories],
        "languages": [record_line(line) for line in trial.languages],
        "people": {**record_counts(trial.people), "split_labels": trial.split_labels},
        "corrected_pass_rate": record_estimate(trial.corrected),
        "missed": [
            {"tag": tag.key, "missed": tag.missed, "failed": tag.failed} for tag in trial.missed
        ],
    }


def record_line(line: TrialLine) -> Record:
    return {
        "key": line.address or line.name,
        "name": line.name,
        **record_counts(line.counts),
        "cannot_tell": line.cannot_tell,
        "judge_errors": line.errors,
        "pass_rate": record_estimate(line.passed),
        "agreement": record_estimate(line.counts.agreement),
        "kappa": record_estimate(line.counts.kappa),
    }


def record_counts(counts: Confusion) -> Record:
    return {
        "true_pass": counts.true_pass,
        "false_pass": counts.false_pass,
        "false_fail": counts.false_fail,
        "true_fail": counts.true_fail,
        "sensitivity": record_estimate(counts.sensitivity),
        "specificity": record_estimate(counts.specificity),
    }


def record_estimate(estimate: IntervalEstimate | None) -> Record | None:
    return asdict(estimate) if estimate else None
