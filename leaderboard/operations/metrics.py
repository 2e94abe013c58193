"""The queue and its results as Prometheus gauges, read from the rows when they are asked for.

Every web process gives the same answer, so it does not matter which one is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Sum
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

from leaderboard.models import Attempt, Run, RunSummary
from leaderboard.queue import clock
from leaderboard.scoring.figures import OVERALL
from runner.contract import Status

ENDED = ("passed", "failed", "void")


class Rows(Collector):
    """Six queries, over indexes and over one summary row per run."""

    def describe(self) -> Iterator[GaugeMetricFamily]:
        return iter(())  # so that registering asks no database

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield queue_depth()
        yield attempts()
        yield runs()
        yield expired()


def queue_depth() -> GaugeMetricFamily:
    now = clock.now()
    wanted = Attempt.objects.exclude(run__status=Status.PAUSED)
    pausing = wanted.filter(status=Status.QUEUED, not_before__gt=now)
    family = GaugeMetricFamily("pybench_queue_depth", "Open attempts.", labels=["state"])
    family.add_metric(["ready"], wanted.ready(now).count())
    family.add_metric(["pausing"], pausing.count())
    family.add_metric(["running"], Attempt.objects.in_flight(now).count())
    return family


def attempts() -> GaugeMetricFamily:
    of_all = RunSummary.objects.filter(category=OVERALL)
    sums = of_all.aggregate(**{name: Sum(name) for name in ENDED})
    family = GaugeMetricFamily("pybench_attempts_ended", "Ended attempts.", labels=["state"])
    for name in ENDED:
        family.add_metric([name], sums[name] or 0)
    return family


def runs() -> GaugeMetricFamily:
    family = GaugeMetricFamily("pybench_runs", "Runs.", labels=["status"])
    for status, count in Run.objects.values_list("status").annotate(Count("pk")).order_by("status"):
        family.add_metric([status], count)
    return family


def expired() -> GaugeMetricFamily:
    """More than 0 for longer than a sweep means that nobody sweeps."""
    family = GaugeMetricFamily("pybench_leases_expired", "Attempts of workers that are gone.")
    family.add_metric([], Attempt.objects.expired(clock.now()).count())
    return family


REGISTRY = CollectorRegistry()
REGISTRY.register(Rows())


def render() -> bytes:
    """All of it in Prometheus's text format."""
    return generate_latest(REGISTRY)
