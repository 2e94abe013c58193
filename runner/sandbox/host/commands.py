"""The commands that sandboxes see: a stated list, the same on every host.

Copies of the host's programs of these names lie in a folder of the kernel environment, which is
shown in the place of each of the host's folders of commands; a link names the folder of the newest
copies, by which the sandbox service finds them while it runs. So nothing else that is installed
there (git, gcc, node, java) makes one host's sandboxes differ from another's. The names are those
of Debian's essential packages and of the packages that set-up installs.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from runner.contract import SandboxUnavailable

SEARCHED = "/usr/bin:/bin:/usr/sbin:/sbin"
COVERED = ("/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/usr/games")
LINK = Path("share", "commands")  # in the environment; to the folder of copies in use
COVERED_APART = ("/bin", "/sbin")  # as a rule links into /usr
LISTED = """
[ arch b2sum base32 base64 basename basenc bash cat chgrp chmod chown cksum comm cp csplit cut
dash date dd df dir dircolors dirname du echo env expand expr factor false fmt fold groups head id
install join link ln logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od
paste pathchk pr printenv printf ptx pwd readlink realpath rm rmdir seq sh sha1sum sha224sum
sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee
test timeout touch tr true truncate tsort tty uname unexpand uniq unlink users vdir wc who whoami
yes
awk cmp diff diff3 egrep fgrep find grep gunzip gzip hostname mawk perl run-parts sdiff sed tar
tempfile which xargs zcat zgrep zmore
clear column flock getconf getent getopt iconv kill ldconfig ldd less locale logger lscpu more
prlimit renice rev script setsid taskset tput
ffmpeg ffprobe tesseract
circo dot fc-cache fc-list fc-match fdp neato osage patchwork sfdp twopi unflatten
"""
NAMES = tuple(LISTED.split())
PREFERRED = {
    "awk": "mawk",  # of several that the host may have, for the same results
    "less": "cat", "more": "cat",  # a pager would wait for a key until the cell's time is over
}  # fmt: skip
VERSIONS = {  # of programs that decide results: the command that prints it, and how it is read
    "ffmpeg": (("ffmpeg", "-version"), r"ffmpeg version (\S+)"),
    "tesseract": (("tesseract", "--version"), r"tesseract (\S+)"),
    "graphviz": (("dot", "-V"), r"version (\S+)"),
}
FONTS = Path("/usr/share/fonts")
VERSION_TIMEOUT_S = 20.0


def find_commands(python: Path) -> dict[str, Path]:
    """{name inside: the host's program}, with the interpreter that `python` is if it is in /usr."""
    found = {}
    for name in NAMES:
        path = shutil.which(PREFERRED.get(name, name), path=SEARCHED)
        path = path or shutil.which(name, path=SEARCHED)
        if path:
            found[name] = Path(path).resolve()
    resolved = python.resolve()
    if resolved.is_relative_to("/usr"):  # one from elsewhere is shown where it is
        found |= dict.fromkeys((resolved.name, "python3"), resolved)
    return found


def missing_commands() -> list[str]:
    """Those of the list that this host lacks."""
    found = find_commands(Path(sys.executable))
    return [name for name in NAMES if name not in found]


def show_commands(environment: Path) -> Path:
    """The folder of commands of a kernel environment, made anew when the host's have changed.

    The folder before it stays, for the sandboxes that have it. Raises SandboxUnavailable when that
    is due and this user may not write there.
    """
    link = environment / LINK
    try:
        commands = find_commands(environment / "bin" / "python")
        folder = link.parent / f"commands-{digest(commands)}"
        if not is_shown(folder, link):
            folder.parent.mkdir(exist_ok=True)
            with locked(folder.parent):
                copy_commands(commands, folder, link)
    except OSError as error:
        raise SandboxUnavailable(
            f"The commands for sandboxes cannot be copied to {link.parent}: {error.strerror}. "
            "Run `python -m runner.sandbox.host.commands` as the environment's owner."
        ) from error
    return folder


def is_shown(folder: Path, link: Path) -> bool:
    return folder.is_dir() and link.resolve() == folder.resolve()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """For one process at a time."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def copy_commands(commands: Mapping[str, Path], folder: Path, link: Path) -> None:
    """Copy the programs, let `link` name them, and remove copies from before its last ones."""
    if is_shown(folder, link):
        return
    former = link.resolve()
    if not folder.is_dir():
        young = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".commands-"))
        for name, path in commands.items():
            shutil.copyfile(path, young / name)
            (young / name).chmod(0o755)
        young.chmod(0o755)
        young.rename(folder)
    named = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".commands-")) / link.name
    named.symlink_to(folder.name)
    named.rename(link)
    for other in folder.parent.glob("*commands-*"):
        if other not in (folder, former):
            shutil.rmtree(other, ignore_errors=True)


def digest(commands: Mapping[str, Path]) -> str:
    """Tells whether any of the programs is another than it was."""
    facts = []
    for name, path in sorted(commands.items()):
        found = path.stat()
        facts.append(f"{name} {path} {found.st_size} {found.st_mtime_ns}")
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:12]


def covered_folders() -> list[str]:
    """The host's folders of commands, in whose place the list is shown."""
    folders = map(Path, (*COVERED, *COVERED_APART))
    return [str(path) for path in folders if path.is_dir() and not path.is_symlink()]


def describe_programs() -> str:
    """Versions of the host's programs that decide results, and a digest of its fonts."""
    told = [f"{name} {read_version(*how)}" for name, how in VERSIONS.items()]
    return ", ".join([*told, f"fonts {digest_of_fonts()}"])


def read_version(command: tuple[str, ...], pattern: str) -> str:
    path = shutil.which(command[0], path=SEARCHED)
    if path is None:
        return "missing"
    done = subprocess.run(
        [path, *command[1:]],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=VERSION_TIMEOUT_S,
        check=False,
    )
    found = re.search(pattern, done.stdout + done.stderr)
    return found[1] if found else "unknown"


def digest_of_fonts() -> str:
    files = sorted(path for path in FONTS.rglob("*") if path.is_file())
    facts = (f"{path.relative_to(FONTS)} {path.stat().st_size}" for path in files)
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:12]


def main() -> None:
    from runner.sandbox.host.kernel_env import find_kernel_environment

    print(show_commands(find_kernel_environment().folder))
    for name in missing_commands():
        print(f"missing: {name}")


if __name__ == "__main__":
    main()
