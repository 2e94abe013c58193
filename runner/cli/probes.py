"""Probes of an endpoint from a shell, before an evaluation."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict

from runner.cli.findings import show
from runner.contract import EndpointSpec
from runner.endpoint.http import open_http
from runner.preflight.asked_probes import Probe, run_probes
from runner.preflight.checks import Check


async def look_at(spec: EndpointSpec, probes: Collection[Probe]) -> list[Check]:
    """The checks of these probes alone."""
    async with open_http() as http:
        return await run_probes(probes, spec, http)


def show_checks(checks: Collection[Check]) -> None:
    show({"checks": [asdict(check) for check in checks]})
