"""Getting a checkout from a git address: its data folder alone, and nothing of it is run."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path

from runner.contract import ProblemError
from runner.suite.reader import problem

PUBLIC = "https://github.com/Mercury7353/PyBench"
SCHEMES = ("https://", "file://")
TIMEOUT_S = 1_800
MOST_FILE_BYTES = 4 << 30  # a pack file's as well
WITHOUT = [
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.symlinks=false"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "protocol.https.allow=always"),
    *("-c", "protocol.file.allow=always"),
    *("-c", "submodule.recurse=false"),
    *("-c", "credential.helper="),
    *("-c", "advice.detachedHead=false"),
]


def fetch(address: str, folder: Path) -> str:
    """Put the data folder of the repository at `address` into `folder`; the commit's name.

    No configuration of the user or the host counts, no hook or filter runs, no submodule follows.
    Raises ProblemError when git is absent, the address is none, or it cannot be fetched.
    """
    if not address.startswith(SCHEMES):
        raise problem(
            "bad_address",
            f"{address} is neither a folder here nor an https:// or file:// address.",
            "Give the path of a checkout, or the address of a git repository.",
        )
    clone = ["clone", "--quiet", "--depth=1", "--single-branch", "--no-tags", "--no-checkout"]
    git(
        [*clone, "--no-recurse-submodules", "--template=", "--", address, str(folder)],
        folder.parent,
    )
    git(["checkout", "--quiet", "HEAD", "--", "data"], folder)
    return git(["rev-parse", "HEAD"], folder).strip()


def git(arguments: list[str], folder: Path) -> str:
    env = {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_ATTR_NOSYSTEM": "1",
    }
    for name in ("https_proxy", "HTTPS_PROXY", "SSL_CERT_FILE", "GIT_SSL_CAINFO"):
        if name in os.environ:
            env[name] = os.environ[name]
    try:
        done = subprocess.run(
            ["git", *WITHOUT, *arguments],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
            preexec_fn=bounded,
        )
    except FileNotFoundError as error:
        raise refusal("git is not installed here") from error
    except subprocess.TimeoutExpired as error:
        raise refusal(f"it took longer than {TIMEOUT_S // 60} minutes") from error
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["git said nothing"])[-1]
        raise refusal(said[:300])
    return done.stdout


def bounded() -> None:
    """No file that git writes grows without end."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE_BYTES, MOST_FILE_BYTES))


def refusal(why: str) -> ProblemError:
    return problem(
        "not_fetched",
        f"The repository could not be fetched: {why}.",
        "Clone it yourself and give the path of the checkout.",
    )
