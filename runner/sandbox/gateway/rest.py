"""A gateway's REST interface: bounded answers, never redirected, every field checked.

Protocol: the "kernels" and "kernelspecs" resources of Jupyter Server, which Kernel Gateway and
Enterprise Gateway share (jupyter-server.readthedocs.io, "The REST API").
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Any

import httpx2

from runner.outbound import open_http
from runner.sandbox.gateway.address import Address
from runner.sandbox.messages import JSON_NODES, count_nodes, text

ANSWER_TIMEOUT_S = 20.0
LAUNCH_TIMEOUT_S = 120.0  # a cluster may have to find room first
DELETE_TIMEOUT_S = 30.0  # Jupyter asks a kernel politely for 5 s
ANSWER_BYTES = 1 << 20
KERNELS = "api/kernels"
KERNEL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
VERSION_CHARS = 40


class GatewayFailed(Exception):
    """The gateway did not do as asked, through nobody's code: a sentence says what happened."""


@dataclass(frozen=True)
class Gateway:
    """Asks the gateway, with a deadline on every answer. Raises GatewayFailed."""

    address: Address

    async def read_version(self) -> str:
        """Such as "3.0.1": the gateway's own where it tells one, else its server's."""
        told = await self.ask("GET", "api", (200,))
        facts = told if isinstance(told, dict) else {}
        version = text(facts.get("gateway_version") or facts.get("version"), VERSION_CHARS)
        return re.sub(r"[^\w.+-]", "", version, flags=re.ASCII) or "unknown"

    async def expect_kernelspec(self) -> None:
        """See that the gateway takes our token and has the kernel that is wanted."""
        told = await self.ask("GET", "api/kernelspecs", (200,))
        specs = told.get("kernelspecs") if isinstance(told, dict) else None
        if not isinstance(specs, dict):
            raise GatewayFailed(f"What answers at {self.address.url} is no Jupyter gateway.")
        if self.address.kernel not in specs:
            known = ", ".join(sorted(text(name, 40) for name in specs)[:10]) or "none"
            raise GatewayFailed(
                f"The gateway at {self.address.url} knows no kernel “{self.address.kernel}”; it "
                f"has: {known}. Set PYBENCH_GATEWAY_KERNEL to one whose environment is made from "
                "suites/environment/requirements.txt."
            )

    async def create(self) -> str:
        """The id of a new kernel."""
        body = {"name": self.address.kernel}
        told = await self.ask("POST", KERNELS, (200, 201), body, LAUNCH_TIMEOUT_S)
        made = told.get("id") if isinstance(told, dict) else None
        if not isinstance(made, str) or not KERNEL_ID.fullmatch(made):
            raise GatewayFailed(f"What answers at {self.address.url} started no kernel.")
        return made

    async def interrupt(self, kernel: str) -> None:
        await self.ask("POST", f"{KERNELS}/{kernel}/interrupt", (200, 204, 404))

    async def delete(self, kernel: str) -> bool:
        """End a kernel; whether there was one."""
        wanted = (200, 202, 204, 404)
        status, _ = await self.send(
            "DELETE", f"{KERNELS}/{kernel}", wanted, timeout_s=DELETE_TIMEOUT_S
        )
        return status != 404

    async def ask(
        self,
        method: str,
        path: str,
        wanted: tuple[int, ...],
        body: object = None,
        timeout_s: float | None = None,
    ) -> Any:
        """What an answer's JSON says; None when it says nothing."""
        _, content = await self.send(method, path, wanted, body, timeout_s)
        if not content:
            return None
        told = read_json(content)
        if told is None:
            raise GatewayFailed(
                f"What answers at {self.address.url} speaks no Jupyter protocol. "
                "Set PYBENCH_GATEWAY_URL to the gateway itself."
            )
        return told

    async def send(
        self,
        method: str,
        path: str,
        wanted: tuple[int, ...],
        body: object = None,
        timeout_s: float | None = None,
    ) -> tuple[int, bytes]:
        """(status, content) of an answer whose status is `wanted`."""
        timeout_s = timeout_s or ANSWER_TIMEOUT_S
        headers = {**self.address.headers(), "Content-Type": "application/json"}
        content = json.dumps(body).encode() if body is not None else b""
        try:
            async with asyncio.timeout(timeout_s), open_http() as http:
                answer = await http.request(
                    method, f"{self.address.url}/{path}", headers=headers, content=content
                )
        except TimeoutError as error:
            raise GatewayFailed(
                f"The gateway at {self.address.url} did not answer within {timeout_s:g} s."
            ) from error
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise GatewayFailed(
                f"The gateway at {self.address.url} cannot be reached: "
                f"{text(str(error), 200) or type(error).__name__}."
            ) from error
        if answer.status_code not in wanted:
            raise GatewayFailed(self.explain(answer.status_code, path, answer.content))
        return answer.status_code, answer.content

    def explain(self, status: int, path: str, content: bytes) -> str:
        """Why this status is no good, and what to do."""
        if status in (401, 403) and path != KERNELS:
            return (
                f"The gateway at {self.address.url} refuses us ({status}). "
                "Set PYBENCH_GATEWAY_TOKEN to the token that it was started with."
            )
        if 300 <= status < 400:
            return (
                f"The gateway at {self.address.url} redirects ({status}), which is not followed. "
                "Set PYBENCH_GATEWAY_URL to the address that it redirects to."
            )
        told = read_json(content)
        message = text(told.get("message")) if isinstance(told, dict) else ""
        why = f": {message}" if message else ""
        return f"The gateway at {self.address.url} answered {status} to /{path}{why}."


def read_json(content: bytes) -> Any:
    """None for what is no JSON, or too large to unpack."""
    if len(content) > ANSWER_BYTES or count_nodes(content) > JSON_NODES:
        return None
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
