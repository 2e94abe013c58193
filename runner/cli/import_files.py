"""The command line's `import`: bring recorded trajectories to a site, privately."""

from __future__ import annotations

import argparse
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from runner.cli.exit_codes import BAD_INPUT, DONE, GONE, INCOMPLETE
from runner.cli.site_client import (
    TOKEN_VARIABLE,
    SiteAway,
    ask,
    check_site,
    open_site,
    secret,
)
from runner.contract import ProblemError
from runner.suite.reader import problem

MAX_FILES = 2_000  # of a folder, as a site takes them
NAMED = 20  # parts that were not read, on the terminal


def import_files(words: Sequence[str]) -> int:
    """Send each file or folder, and print the address where it can be read; the exit code."""
    options = parser().parse_args(words)
    site, token = check_site(options.site), secret(options.token_env)
    status = DONE
    with open_site(site, token) as http:
        for path in options.files:
            try:
                told = send(http, path, options.title, options.score)
            except SiteAway as error:
                print(f"{path}: {error.problem.sentence}", file=sys.stderr)
                return GONE
            except ProblemError as error:
                print(f"{path}: {error.problem.sentence}", file=sys.stderr)
                status = BAD_INPUT
                continue
            if options.score:
                print(f"{path}: queued to be judged: {site}/runs/{told['id']}/")
                continue
            show(site, path, told)
            if told["refused"] and status == DONE:
                status = INCOMPLETE
    return status


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pybench import",
        description="Bring recorded trajectories to a site. Only your account can see them.",
        epilog="Exit codes: 0 everything was read, 1 parts of a file were not, 2 a file was "
        "refused, 3 the site went away.",
    )
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help="a file, an archive, or a folder")
    add("--site", required=True, help="address of the site, such as https://board.your-host.org")
    add("--token-env", metavar="VAR", default=TOKEN_VARIABLE,
        help=f"environment variable with your API token (default: {TOKEN_VARIABLE})")  # fmt: skip
    add("--title", default="", help="heading of its pages (default: the file's name)")
    add("--score", default="", metavar="SUITE",
        help="have output files judged by the checks of this suite: folders (or zips) with "
        "KEY/output/… and KEY/answer.txt for each task")  # fmt: skip
    return parser


def send(http: Any, path: Path, title: str, suite: str = "") -> dict[str, Any]:
    """Send one file; a folder goes as one archive. Raises ProblemError."""
    with packed(path) as (file, name):
        asked = {"name": name[:200], **({"title": title[:200]} if title else {})}
        asked |= {"suite": suite} if suite else {}
        address = f"/api/v1/uploads/{'score/' if suite else ''}?{urlencode(asked)}"
        # Sent again after a lost answer, it is the same upload.
        return ask(http, "POST", address, key=str(uuid4()), is_known=False, file=file)


@contextmanager
def packed(path: Path) -> Iterator[tuple[Path, str]]:
    """The file to send, and its name."""
    if path.is_file():
        yield path, path.name
        return
    if not path.is_dir():
        raise problem("no_file", f"There is no file {path}.", "Give a file or a folder.")
    files = sorted(file for file in path.rglob("*") if file.is_file() and not file.is_symlink())
    if not 0 < len(files) <= MAX_FILES:
        raise problem(
            "bad_folder",
            f"The folder {path} has {len(files):,} files.",
            f"Give one with 1 to {MAX_FILES:,}.",
        )
    with tempfile.NamedTemporaryFile(prefix="trajectories-", suffix=".zip") as made:
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            for file in files:
                archive.write(file, file.relative_to(path.parent))
        made.flush()
        yield Path(made.name), f"{path.resolve().name}.zip"


def show(site: str, path: Path, told: dict[str, Any]) -> None:
    """Print where the trajectories are, and on stderr the parts that were not read."""
    print(f"{path}: {told['attempts']} attempts ({told['format']}): {site}{told['address']}")
    for part in told["errors"][:NAMED]:
        place = " ".join(str(word) for word in (part["file"], part["unit"], part["line"]) if word)
        print(f"  {place}: {part['reason']}", file=sys.stderr)
    if told["refused"] > NAMED:
        print(f"  and {told['refused'] - NAMED:,} more parts were not read", file=sys.stderr)
    for sentence in told["losses"]:
        print(f"  {sentence}", file=sys.stderr)
