"""Options of bubblewrap, which builds the first wall, and what of the host is seen behind it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from runner.sandbox.policy import SANDBOX_USER

NEEDED = ("bwrap", "setpriv", "unshare", "mount")
INSTALL = "Run `apt-get install bubblewrap util-linux mount`."
VERSION_TIMEOUT_S = 20.0

SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/localtime", "/etc/mime.types")
SYSTEM_FOLDERS = ("/etc/ld.so.conf.d", "/etc/fonts", "/etc/alternatives", "/var/cache/fontconfig")
ROOT_FOLDERS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")

WALLS = (
    "--unshare-user",
    "--unshare-all",
    "--new-session",
    "--die-with-parent",
    *("--cap-drop", "ALL"),
    *("--hostname", "sandbox"),
    *("--uid", str(SANDBOX_USER), "--gid", str(SANDBOX_USER)),
)


def root_folders_apart() -> list[Path]:
    """Those of /bin, /lib and their like that are not merged into /usr on this host."""
    paths = (Path("/") / name for name in ROOT_FOLDERS)
    return [path for path in paths if path.is_dir() and not path.is_symlink()]


def root_folders() -> list[str]:
    """/bin, /lib and their like, as this host has them (merged into /usr or not)."""
    words: list[str] = []
    for name in ROOT_FOLDERS:
        path = Path("/") / name
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), str(path)]  # noqa: PTH115 (kept as it is)
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    return words


def read_bwrap_version() -> str:
    result = subprocess.run(
        ["bwrap", "--version"],
        capture_output=True,
        text=True,
        timeout=VERSION_TIMEOUT_S,
        check=False,
    )
    found = re.search(r"[\d.]+", result.stdout)
    return found.group() if found else "unknown"
