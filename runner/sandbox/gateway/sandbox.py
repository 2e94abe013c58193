"""The kind whose kernels a gateway starts; suite code stays in this host's own sandbox."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from runner.contract import Limits
from runner.sandbox.base import Sandbox, SandboxUnavailable, Session, ToolJob, ToolResult
from runner.sandbox.gateway.address import read_address
from runner.sandbox.gateway.rest import Gateway, GatewayFailed
from runner.sandbox.gateway.session import GatewaySession


@dataclass
class GatewaySandbox:
    """Implements `runner.sandbox.base.Sandbox`. Made by `runner.sandbox.factory.open_sandbox`."""

    gateway: Gateway
    version: str  # of the gateway
    tools: Sandbox  # of this host: for checks and generators, which are ours
    kind: str = "gateway"

    async def open(self, inputs: Path, limits: Limits) -> Session:
        return GatewaySession(self.gateway, inputs, limits)

    async def run_tool(self, job: ToolJob) -> ToolResult:
        return await self.tools.run_tool(job)

    def environment(self) -> dict[str, str]:
        address = self.gateway.address
        of_checks = {f"checks_{name}": fact for name, fact in self.tools.environment().items()}
        return {
            "sandbox": self.kind,
            "layers": f"the gateway's own: model code is walled in by the containers of "
            f"{address.url}, and by nothing of this host",
            "memory": "the gateway's own limit",
            "gateway": f"{address.url}, version {self.version}",
            "gateway_kernel": address.kernel,
            **of_checks,
        }

    async def close(self) -> None:
        await self.tools.close()


def find_gateway() -> tuple[Gateway, str]:
    """The gateway of the settings, which answers and has the kernel, and its version.

    Raises SandboxUnavailable.
    """
    gateway = Gateway(read_address())
    with ThreadPoolExecutor(1) as pool:  # an event loop may be running in this thread
        try:
            return gateway, pool.submit(asyncio.run, examine(gateway)).result()
        except GatewayFailed as failed:
            raise SandboxUnavailable(str(failed)) from failed


async def examine(gateway: Gateway) -> str:
    await gateway.expect_kernelspec()
    return await gateway.read_version()
