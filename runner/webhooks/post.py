"""Sends one webhook: signed, through the guard of endpoints, bounded in time and size."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import time

import httpx2

from runner.contract import ProblemError
from runner.endpoint.address_policy import AddressPolicy
from runner.endpoint.guarded_transport import GuardedTransport, problem_in

TIMEOUT_S = 5.0  # of the whole request
AGENT = "PyBench-Webhook/1"


def sign(secret: str, timestamp: int, body: bytes) -> str:
    """The signature of a body: HMAC-SHA256 of "timestamp.body", in hexadecimal."""
    signed = f"{timestamp}.".encode() + body
    return "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def headers_of(secret: str, event: str, delivery: int, body: bytes, now_s: int) -> dict[str, str]:
    return {
        "Content-Type": "application/json",
        "User-Agent": AGENT,
        "X-PyBench-Event": event,
        "X-PyBench-Delivery": str(delivery),
        "X-PyBench-Timestamp": str(now_s),
        "X-PyBench-Signature": sign(secret, now_s, body),
    }


async def post_in_time(
    url: str, headers: dict[str, str], body: bytes, policy: AddressPolicy
) -> str:
    """Send the body; "" once it was taken with a status of success, else why not, in words."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            status = await send(url, headers, body, policy)
    except TimeoutError:
        return f"It did not answer within {TIMEOUT_S:.0f} s."
    except ProblemError as error:
        return error.problem.what
    except (httpx2.HTTPError, OSError) as error:
        problem = problem_in(error)
        return problem.what if problem else f"The request failed: {type(error).__name__}."
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return f"It redirected ({status}), and redirects are not followed."
    return f"It answered {status}."


async def send(url: str, headers: dict[str, str], body: bytes, policy: AddressPolicy) -> int:
    """The status of the answer, whose body is not read."""
    transport = GuardedTransport(policy)
    async with httpx2.AsyncClient(
        transport=transport, follow_redirects=False, timeout=TIMEOUT_S, trust_env=False
    ) as client:
        request = client.build_request("POST", url, content=body, headers=headers)
        response = await client.send(request, stream=True)
        await response.aclose()
        return response.status_code


def now_s() -> int:
    return int(time.time())
