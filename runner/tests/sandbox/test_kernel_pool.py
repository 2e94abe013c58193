"""Control groups of the kernels that the service keeps ahead."""

from __future__ import annotations

import secrets

import pytest

from runner.contract import Limits
from runner.sandbox.host import cgroups
from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.sandbox.policy import SandboxPolicy
from runner.sandbox.sandboxd.kernel_pool import Rotation, Stock

pytestmark = pytest.mark.sandbox


def test_service_does_not_block_its_successor_with_the_same_token() -> None:
    """One that was killed leaves the groups of its kernels behind, until they are swept."""
    found = cgroups.find()
    if found is None:
        pytest.skip("this host grants no cgroups")
    env, token = find_kernel_environment(), f"pybench-test-{secrets.token_hex(4)}-k"
    policy = SandboxPolicy.of(Limits())
    groups = []
    try:
        for _ in range(2):
            stock = Stock(env, b"", found, token, 0, Rotation())
            groups += [stock.make_group(policy), stock.make_group(policy)]
        assert len({group.folders for group in groups if group}) == 4
    finally:
        for group in groups:
            if group:
                group.remove()
