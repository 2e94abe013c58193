"""Prometheus metrics of a worker: attempts, void tries, kernels, cells, endpoints."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.exposition import generate_latest

from runner.contract import AttemptResult

REGISTRY = CollectorRegistry(auto_describe=True)
ProcessCollector(registry=REGISTRY)

QUICK_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
SLOW_S = (0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 20, 60, 120, 300)

ATTEMPTS = Counter(
    "pybench_attempts", "Tries that this worker handed back.", ["outcome"], registry=REGISTRY
)
VOIDS = Counter("pybench_voids", "Of those, the void ones.", ["cause"], registry=REGISTRY)
KERNEL_START = Histogram(
    "pybench_kernel_start_seconds",
    "From asking for a kernel until its first cell begins.",
    buckets=QUICK_S,
    registry=REGISTRY,
)
CELL = Histogram(
    "pybench_cell_seconds", "A cell's time.", ["status"], buckets=SLOW_S, registry=REGISTRY
)
REPLY = Histogram(
    "pybench_endpoint_reply_seconds",
    "An endpoint's time to reply, retries included.",
    ["result"],  # "reply", or the code of the problem
    buckets=SLOW_S,
    registry=REGISTRY,
)


def count_result(result: AttemptResult) -> None:
    """Count a try that was handed back."""
    ATTEMPTS.labels(result.outcome).inc()
    if result.outcome.is_void:
        VOIDS.labels(result.problem.code if result.problem else "unexplained").inc()


def render() -> bytes:
    """All of it in Prometheus's text format."""
    return generate_latest(REGISTRY)
