"""A submission as a command line for a shell, without its secrets."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

KEY_VARIABLE = "ENDPOINT_KEY"
TOKEN_VARIABLE = "PYBENCH_TOKEN"

# Options by the field that they hold, with the value that the command line has by itself.
OPTIONS = {
    "action_format": ("--format", "fenced"),
    "temperature": ("--temperature", None),
    "top_p": ("--top-p", None),
    "max_tokens": ("--max-tokens", None),
    "attempts_per_task": ("--attempts", 1),
    "concurrency": ("--concurrency", 2),
    "ceiling_tokens": ("--ceiling-tokens", None),
    "ceiling_dollars": ("--ceiling-dollars", None),
    "organisation": ("--organisation", ""),
    "parameters_b": ("--parameters", None),
    "weights": ("--weights", "unknown"),
    "description": ("--description", ""),
}


def write_command(
    site: str,
    suite: str,
    facts: Mapping[str, Any],
    *,
    has_key: bool,
    has_extra: bool,
    has_headers: bool = False,
) -> str:
    """The command that submits the same; "" where a value cannot be shown as it is, and for
    fresh instances, which only the form offers.

    The key and the token are named by environment variables, extra request fields and headers
    by files.
    """
    words = [".venv/bin/pybench submit", f"--site={shlex.quote(site)}"]
    words += [
        f"--suite={shlex.quote(suite)}",
        f"--base-url={shlex.quote(str(facts['base_url']))}",
        f"--model={shlex.quote(str(facts['model']))}",
    ]
    if facts["name"] != facts["model"]:
        words.append(f"--name={shlex.quote(str(facts['name']))}")
    if has_key:
        words.append(f"--api-key-env {KEY_VARIABLE}")
    for name, (option, usual) in OPTIONS.items():
        value = facts.get(name)
        if value not in (usual, None, ""):
            words.append(f"{option}={shlex.quote(str(value))}")
    if facts.get("stream") is False:
        words.append("--no-stream")
    if has_extra:
        words.append("--extra-body @extra.json")
    if has_headers:
        words.append("--extra-headers @headers.txt")
    if facts.get("visibility") == "public":
        words.append("--public")
    words.append("--follow")
    is_plain = not facts.get("fresh_seed") and all(
        word.replace("\n", "").isprintable() for word in words
    )
    return " \\\n  ".join(words) if is_plain else ""
