"""`make test-fresh`: a Debian that has nothing, in which a newcomer's first hour is played.

The bare system is a folder made from the package archives that this machine's apt is configured
with; it is kept in var/fresh. Each test works in a copy, entered by pivot_root: kernel and network
are this machine's, processes, mounts and files are the copy's own, and all of it ends with the
test. Inside are python3, make and git, and the configuration of apt and pip that this machine has.

Runs on the system's Python with nothing but the standard library.
"""

from __future__ import annotations

import configparser
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FRESH = ROOT / "var" / "fresh"
BARE = FRESH / "bare"
SITE = "/root/site"  # where nobody but root can read, as root's own clone would be
VISIT = "pybench_site/local/fresh_visit.py"
PROGRAMS = {"debootstrap": "debootstrap", "git": "git", "unshare": "util-linux"}
PACKAGES = "ca-certificates,python3,make,git"
PIP_FILES = ("/etc/pip.conf", "/etc/xdg/pip/pip.conf", "~/.pip/pip.conf", "~/.config/pip/pip.conf")
COPIED = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt", *PIP_FILES)
# What tells pip, uv, apt and others of proxies, indexes and certificates.
PASSED = ("PIP_", "UV_", "SSL_CERT_", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
PROXIES = ("http_proxy", "https_proxy", "no_proxy", "all_proxy")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

# Arguments: the folder, a line of folders to show in it, and the command.
ENTER = """
set -e
machine=$1 shown=$2; shift 2
mount --make-rprivate /
mount --bind "$machine" "$machine"
for folder in $shown; do
    mkdir -p "$machine$folder"
    mount --bind -o ro "$folder" "$machine$folder"
done
cd "$machine"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs tmpfs run
mkdir -p .host
pivot_root . .host
umount -l /.host
rmdir /.host
cd "$SITE"
exec "$@"
"""


def main() -> int:
    if lack := find_lack():
        print(f"test-fresh needs {lack}.", file=sys.stderr)
        return 1
    FRESH.mkdir(parents=True, exist_ok=True)
    if not BARE.exists():
        make_bare()
    machine = Path(tempfile.mkdtemp(prefix="machine-", dir=FRESH))
    try:
        subprocess.run(["cp", "-a", "--reflink=auto", f"{BARE}/.", machine], check=True)
        clone(machine)
        return enter(machine)
    finally:
        shutil.rmtree(machine)


def find_lack() -> str:
    """The first thing without which this machine cannot make another, and the remedy; or ""."""
    if os.geteuid() != 0:
        return "root, for it makes a system and mounts it. Run: sudo make test-fresh"
    missing = [package for name, package in PROGRAMS.items() if not shutil.which(name)]
    return f"{' and '.join(missing)}. Run: apt-get install {' '.join(missing)}" if missing else ""


def make_bare() -> None:
    """A minimal Debian of this machine's release; it is kept only if it is whole."""
    started = time.monotonic()
    release = platform.freedesktop_os_release()["VERSION_CODENAME"]
    making = Path(tempfile.mkdtemp(prefix="bare-", dir=FRESH))
    making.chmod(0o755)
    command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", release]
    try:
        subprocess.run(
            [*command, str(making), find_archive(release)], check=True, stdout=subprocess.DEVNULL
        )
        making.rename(BARE)
    finally:
        shutil.rmtree(making, ignore_errors=True)
    print(f"· a bare {release} … {time.monotonic() - started:.0f} s", flush=True)


def find_archive(release: str) -> str:
    """The address from which this machine's apt gets this release."""
    query = ["apt-get", "indextargets", "--format", "$(RELEASE) $(REPO_URI)"]
    found = subprocess.run(query, check=True, capture_output=True, text=True).stdout
    return next(line.split()[1] for line in found.splitlines() if line.split()[0] == release)


def clone(machine: Path) -> None:
    """The last commit of this checkout, and the machine's own configuration of apt and pip."""
    shutil.copytree("/etc/apt", machine / "etc/apt", symlinks=True, dirs_exist_ok=True)
    for folder in ("/usr/share/keyrings", "/usr/local/share/ca-certificates"):
        if Path(folder).is_dir():
            shutil.copytree(folder, f"{machine}{folder}", symlinks=True, dirs_exist_ok=True)
    for path in (Path(name).expanduser() for name in (*COPIED, *named_paths())):
        if path.is_file():
            target = Path(f"{machine}{path}")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            shutil.copyfile(path, target)
    trusting = ["git", "-c", "safe.directory=*"]  # the checkout may be another user's
    subprocess.run([*trusting, "clone", "-q", ROOT, f"{machine}{SITE}"], check=True)


def named_paths() -> Iterator[str]:
    """Files and folders of this machine that pip's configuration and the environment name."""
    values = [value for name, value in passed_environment().items() if name != "PATH"]
    for name in PIP_FILES:
        settings = configparser.RawConfigParser()
        settings.read(Path(name).expanduser())
        values += [value for section in settings.values() for value in section.values()]
    for word in " ".join(values).split():
        path = word.removeprefix("file://")
        if path.startswith("/") and Path(path).exists():
            yield path


def shown_folders() -> list[str]:
    """Folders of packages, of which a page of links may lie beside the files it links to."""
    folders = {path for path in named_paths() if Path(path).is_dir() and path != "/etc/ssl/certs"}
    return sorted({str(Path(p).parent) if p.endswith("/simple") else p for p in folders})


def passed_environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(PASSED) or name.lower() in PROXIES
    }


def enter(machine: Path) -> int:
    """Play the visit inside, as root of a login without anything else in its environment."""
    own = {"HOME": "/root", "USER": "root", "TERM": "dumb", "LANG": "C.UTF-8", "PATH": PATH}
    # Control groups are counted by the host: the site's have a name that no other site here has.
    own["PYBENCH_SANDBOX_DIR"] = f"/run/pybench-{machine.name}"
    command = ["unshare", "--mount", "--pid", "--fork", "--uts", "--ipc", "--kill-child"]
    command += ["sh", "-c", ENTER, "sh", str(machine), " ".join(shown_folders())]
    environment = {**passed_environment(), **own, "SITE": SITE}
    print(f"· in it: {shlex.join(['python3', VISIT])}", flush=True)
    return subprocess.run([*command, "python3", VISIT], env=environment, check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nInterrupted; nothing is left of the machine.")
