"""Other people's tools that pages and the API are held against, as the set-up installs them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pybench_site.local.install import API_TOOLS, PAGE_TOOLS, PAGE_TOOLS_LOCK, PEERS

HTML_RULES = PAGE_TOOLS_LOCK / "html-validate.json"


def find_tool(name: str, tools: Path = PAGE_TOOLS) -> Path:
    """A file of an installed package."""
    path = tools / "node_modules" / name
    if not path.is_file():
        pytest.fail(f"{path} is not there: `make test-peers` installs it.")
    return path


def find_api_tool(name: str) -> Path:
    return find_tool(name, API_TOOLS)


def find_peer(name: str, program: str) -> Path:
    """A program of an environment of its own; skips where that could not be installed."""
    path = PEERS / name / "bin" / program
    if not path.is_file():
        pytest.skip(f"{name} is not installed: `make test-peers` installs it, or says why not.")
    return path


def require_node(*least: int) -> None:
    """Skip where Node is older, as in Debian 12."""
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    version = tuple(int(part) for part in said.strip().removeprefix("v").split("."))
    if version < least:
        pytest.skip(f"Node {'.'.join(map(str, least))} or later is needed; this is {said.strip()}")
