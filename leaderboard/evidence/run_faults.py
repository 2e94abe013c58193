"""Finds runs whose rows are no longer those that were sealed in the ledger and stated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any

import zstandard
from django.db import DatabaseError

from leaderboard.evidence.manifests import read_statement
from leaderboard.evidence.run_statement import make_statement
from leaderboard.ledger.kinds import ActKind
from leaderboard.ledger.sealed_runs import state_of
from leaderboard.models import LedgerAct, LedgerPayload, Run
from leaderboard.models.querysets import OVER
from runner.evidence.chain import canonical, digest_of

SEALED = {
    "status": "status",
    "seed": "seed",
    "attempts_per_task": "attempts per task",
    "outcomes": "outcomes",
    "verdicts_sha256": "verdicts",
}
STATED = {
    "outcome": "outcome",
    "passed": "outcome",
    "turns": "turns",
    "prompt_sha256": "prompt",
    "inputs": "inputs",
    "trajectory_sha256": "steps",
    "verdict_sha256": "verdict",
    "outputs": "output files",
}
MARKED = f'"kind":"{ActKind.SEALED}"'


def find_run_faults() -> Iterator[str]:
    """A sentence for each sealed run that is not the one in the ledger, and for each attempt that
    is not the one in the run's manifest. Some twenty queries a run."""
    sealed = Run.objects.filter(is_sealed=True, status__in=OVER).exclude(seal=None)
    for pk in list(sealed.order_by("pk").values_list("pk", flat=True)):
        run = sealed.filter(pk=pk).select_related("entry", "suite", "seal").first()
        if run is None:  # deleted, or changed: it is sealed anew
            continue
        faults = find_differences(run)
        if faults and sealed.filter(pk=pk, sequence=run.sequence).exists():
            yield from faults


def find_differences(run: Run) -> list[str]:
    """The run's faults; a row that cannot be read is one, and ends the look at this run alone."""
    try:
        return [*find_ledger_differences(run), *find_manifest_differences(run)]
    except DatabaseError:
        raise
    except Exception as error:  # whatever somebody wrote into a row
        return [f"run {run.pk}: it cannot be compared: {type(error).__name__}: {error}"]


def find_ledger_differences(run: Run) -> Iterator[str]:
    entered = read_entered(run.pk)
    if entered is None or digest_of(canonical(entered)) != run.seal.sha256:
        yield f"run {run.pk}: its seal is not the one in the ledger"
        return
    state = state_of(run)
    changed = [
        word for name, word in SEALED.items() if entered.get(name, state[name]) != state[name]
    ]
    if changed:
        yield f"run {run.pk}: {', '.join(changed)} not as in the ledger"


def read_entered(run_id: int) -> dict[str, Any] | None:
    """Facts of the run as it was sealed last; perhaps that has no number yet."""
    acts = LedgerAct.objects.filter(run_number=run_id, payload__contains=MARKED)
    body = acts.order_by("-pk").values_list("payload", flat=True).first()
    if body is None:
        stored = LedgerPayload.objects.filter(run_number=run_id, body__contains=MARKED)
        body = stored.order_by("-number").values_list("body", flat=True).first()
    facts: dict[str, Any] | None = json.loads(body)["facts"] if body else None
    return facts


def find_manifest_differences(run: Run) -> Iterator[str]:
    """Differences of a run that is stated; one that could not be stated has none."""
    try:
        body = read_statement(run)
        stated = json.loads(body)["predicate"] if body else None
    except (zstandard.ZstdError, ValueError, RecursionError, KeyError, TypeError):
        yield f"run {run.pk}: its manifest cannot be read"
        return
    if stated is None:
        return
    if digest_of(canonical(stated["state"])) != run.seal.sha256:
        yield f"run {run.pk}: its manifest is of another state than the one that was sealed"
        return
    present = make_statement(run)["predicate"]
    kept = {(one["task"], one["number"]): one for one in stated["attempts"]}
    for one in present["attempts"]:
        where = f"run {run.pk}, task “{one['task']}”, attempt {one['number']}"
        before = kept.pop((one["task"], one["number"]), None)
        if before is None:
            yield f"{where}: not in its manifest"
        elif names := find_changed(before, one):
            yield f"{where}: {', '.join(names)} not as in its manifest"
    if kept:
        yield f"run {run.pk}: {len(kept)} attempts of its manifest have no row"
    if not are_alike(stated["figures"], present["figures"]):
        yield f"run {run.pk}: its figures are not those of its manifest"


def find_changed(kept: Mapping[str, Any], present: Mapping[str, Any]) -> list[str]:
    """Words for the facts of an attempt that differ; those that older manifests lack do not."""
    changed = (
        word for name, word in STATED.items() if kept.get(name, present[name]) != present[name]
    )
    return list(dict.fromkeys(changed))


def are_alike(kept: Mapping[str, Any], present: Mapping[str, Any]) -> bool:
    """True if the figures by category are the same but for rounding."""
    if kept.keys() != present.keys():
        return False
    pairs = [
        (value, present[key].get(name)) for key, row in kept.items() for name, value in row.items()
    ]
    return all(
        isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
        if isinstance(a, float) and isinstance(b, float)
        else a == b
        for a, b in pairs
    )
