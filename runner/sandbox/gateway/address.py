"""Which gateway starts the kernels, as the settings say."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from runner.sandbox.base import SandboxUnavailable

DEFAULT_KERNEL = "python3"


@dataclass(frozen=True)
class Address:
    """A gateway, what proves that we may use it, and the kernel that is wanted of it."""

    url: str  # "https://gateway.example.org/jupyter": no credentials, no slash at its end
    token: str = field(default="", repr=False)
    kernel: str = DEFAULT_KERNEL

    @property
    def websocket_url(self) -> str:
        return "ws" + self.url.removeprefix("http")

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"token {self.token}"} if self.token else {}


def read_address() -> Address:
    """Raises SandboxUnavailable when the settings name no gateway that could be asked."""
    url = os.environ.get("PYBENCH_GATEWAY_URL", "").strip().rstrip("/")
    token = os.environ.get("PYBENCH_GATEWAY_TOKEN", "").strip()
    kernel = os.environ.get("PYBENCH_GATEWAY_KERNEL", "").strip() or DEFAULT_KERNEL
    check_url(url)
    if not re.fullmatch(r"[!-~]*", token):
        raise SandboxUnavailable(
            "PYBENCH_GATEWAY_TOKEN holds a character that no header can carry. "
            "Give the token that the gateway was started with, and nothing else."
        )
    return Address(url, token, kernel)


def check_url(url: str) -> None:
    if not url:
        raise SandboxUnavailable(
            "PYBENCH_SANDBOX=gateway needs to know where the gateway is. "
            "Set PYBENCH_GATEWAY_URL, such as https://gateway.example.org."
        )
    try:
        parts = urlsplit(url)
        is_sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_sound = False
    if not is_sound or parts.query or parts.fragment or not re.fullmatch(r"[!-~]+", url):
        raise SandboxUnavailable(
            "PYBENCH_GATEWAY_URL is no http or https address. "
            "Give one such as https://gateway.example.org, with a path if the gateway has one."
        )
    if parts.username is not None or parts.password is not None:
        raise SandboxUnavailable(
            "PYBENCH_GATEWAY_URL holds a user or a password, which would be shown with every run. "
            "Put the gateway's token into PYBENCH_GATEWAY_TOKEN."
        )
