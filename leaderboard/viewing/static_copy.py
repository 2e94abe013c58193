"""Writes a viewer's pages as static files with relative links, for any web host.

The pages are those of the viewer, asked for one after another from the first one on. Links to what
is not among them become plain text, forms are left out, and a policy in each page allows nothing
from elsewhere. Files that a model made are never written under a name that a host would run.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import tempfile
from collections import deque
from dataclasses import dataclass, field
from functools import cache
from html import escape, unescape
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.test import RequestFactory

from leaderboard.models import Run
from leaderboard.viewing.guard import hosts_of_viewer
from runner.contract import Fault, Problem, ProblemError

MAX_PAGES = 20_000
MAX_BYTES = 4 << 30  # of all files
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; "
    "img-src 'self' data:; media-src 'self'; base-uri 'none'; form-action 'none'"
)
# Pages by the pattern of their address, with the parameters that make pages of their own.
PAGES: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (re.compile(r"/runs/\d+/"), frozenset({"page", "show"})),
    (re.compile(r"/runs/\d+/tasks/[\w-]+/"), frozenset({"attempt", "from"})),
    (re.compile(r"/failures/"), frozenset({"tag", "state", "by", "page"})),
    (re.compile(r"/tasks/[\w-]+/"), frozenset({"version"})),
    (re.compile(r"/tasks/[\w-]+/[\w-]+/"), frozenset({"version"})),
    (re.compile(r"/tasks/[\w-]+/[\w-]+/side-by-side/"), frozenset({"attempts"})),
    (re.compile(r"/compare/"), frozenset({"a", "b", "runs"})),
    (re.compile(r"/about/method/"), frozenset()),
)
MOST_PARAMETERS = {"/failures/": 1}  # else every pair of filters would be a page
FILE = re.compile(r"/files/([0-9a-f]{64})/([^/?#]+)")
# What a browser shows and never runs; all else gets an ending that says nothing.
SAFE = frozenset(
    {
        "csv", "docx", "flac", "gif", "jpeg", "jpg", "json", "m4v", "mov", "mp3", "mp4", "ogg",
        "parquet", "pdf", "png", "pptx", "tsv", "txt", "wav", "webm", "webp", "xls", "xlsx", "zip",
    }
)  # fmt: skip
MAX_INLINE_BYTES = 1 << 20  # of a drawing (SVG), which is safe in a page alone
ASSET = re.compile(r"/static/((?:css|js|fonts)/[\w./-]+|icon\.svg)")
LINK = re.compile(r'(\s)(href|src|poster)="([^"]*)"')
OF_NO_USE = re.compile(
    r"<form\b.*?</form>|<details class=\"fold run-here\" data-frame>.*?</details>"
    r"|<link rel=\"(?:alternate|preload)\"[^>]*>|<meta (?:property|name)=\"(?:og:|twitter:)[^>]*>",
    re.DOTALL,
)
LIVE = re.compile(r' data-(?:live|etag)="[^"]*"')
HEAD = '<meta charset="utf-8">'


@dataclass
class Copy:
    """Pages that are written, and those that are still to be asked for."""

    folder: Path
    first: str
    known: dict[str, str] = field(default_factory=dict)  # by address: file below the folder
    waiting: deque[str] = field(default_factory=deque)
    size_bytes: int = 0
    files: int = 0

    def place_of(self, address: str) -> str:
        """File for an address of the viewer; "" if it is not copied."""
        parts = urlsplit(address)
        if asset := ASSET.fullmatch(parts.path):
            return f"static/{asset[1]}"
        if FILE.fullmatch(parts.path):
            return self.know(address, name_of_file(parts.path))
        if parts.path == "/":
            return self.place_of(self.first) if self.first != "/" else self.know("/", "index.html")
        asked = page_of(parts.path, parts.query)
        if asked is None:
            return ""
        return self.know(asked, "index.html" if asked == self.first else name_of_page(asked))

    def know(self, address: str, name: str) -> str:
        if address not in self.known:
            if len(self.known) >= MAX_PAGES:
                return ""
            self.known[address] = name
            self.waiting.append(address)
        return self.known[address]

    def write(self, name: str, content: bytes) -> None:
        self.size_bytes += len(content)
        if self.size_bytes > MAX_BYTES:
            raise refusal(f"The pages take more than {MAX_BYTES >> 30} GiB.", "View them instead.")
        self.files += 1
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def refusal(what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, "html_refused", what, next_step))


def write_copy(to: Path) -> str:
    """Write every page into the new folder `to`; a sentence that says so. Raises ProblemError."""
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise refusal(f"{to} is there already.", "Name another folder with --to, or remove it.")
    to.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{to.name}-", dir=to.parent))
    try:
        copied = copy_pages(draft)
        draft.chmod(0o755)
        if to.exists():
            to.rmdir()
        draft.rename(to)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    size_mb = copied.size_bytes / 1e6
    return f"{copied.files} files ({size_mb:.1f} MB) are in {to}; begin with {to / 'index.html'}."


def copy_pages(folder: Path) -> Copy:
    runs = list(Run.objects.order_by("pk")[:2])
    copy = Copy(folder, runs[0].get_absolute_url() if len(runs) == 1 else "/")
    copy.place_of("/")
    for run in Run.objects.order_by("pk"):
        for attempt in run.attempts.select_related("task"):
            copy.place_of(attempt.get_absolute_url())
    while copy.waiting:
        address = copy.waiting.popleft()
        copy_page(copy, address)
    copy_assets(copy)
    return copy


def copy_page(copy: Copy, address: str) -> None:
    """Ask the viewer for a page or a file, and write it. What it does not answer is left out."""
    status, kind, content = ask(address)
    name = copy.known[address]
    if status != 200:
        content = b"This page is not part of the copy.\n"
        kind = "text/plain"
    if kind.startswith("text/html"):
        content = stand_alone(content.decode("utf-8"), name, copy).encode("utf-8")
    copy.write(name, content)


def ask(address: str) -> tuple[int, str, bytes]:
    """Status, type and body of the viewer's own answer."""
    host = hosts_of_viewer()[0]
    parts = urlsplit(address)
    request = RequestFactory(SERVER_NAME="127.0.0.1").get(
        unquote(parts.path), dict(parse_qsl(parts.query)), headers={"host": host}
    )
    response: Any = load_handler().get_response(request)
    body = b"".join(response) if response.streaming else response.content
    response.close()
    return response.status_code, response.get("Content-Type", ""), body


@cache
def load_handler() -> BaseHandler:
    made = BaseHandler()
    made.load_middleware()
    return made


def page_of(path: str, query: str) -> str | None:
    """The address of the page as it is asked for, with its own parameters in order; or None."""
    for pattern, names in PAGES:
        if pattern.fullmatch(path):
            pairs = sorted(set(parse_qsl(query)))
            mine = [(name, value) for name, value in pairs if name in names]
            if any(name not in names for name, _ in pairs if name not in ("in", "suite")):
                return None
            if len(mine) > MOST_PARAMETERS.get(path, 3):
                return None
            told = "&".join(f"{quote(name)}={quote(value)}" for name, value in mine)
            return f"{path}?{told}" if told else path
    return None


def name_of_page(address: str) -> str:
    path, _, query = address.partition("?")
    if not query:
        return f"{path[1:]}index.html"
    short = re.sub(r"[^\w.,=-]+", "_", query)
    if short != query or len(short) > 100:
        short = f"{short[:60]}-{hashlib.sha256(query.encode()).hexdigest()[:12]}"
    return f"{path[1:]}{short}.html"


def name_of_file(path: str) -> str:
    """A name that a host serves as what it is, or as bytes: never as a page or a script."""
    found = FILE.fullmatch(path)
    assert found
    suffix = PurePosixPath(unquote(found[2])).suffix.lower().lstrip(".")
    if suffix == "svg":
        return f"files/{found[1]}.svg.txt"
    return f"files/{found[1]}.{suffix}" if suffix in SAFE else f"files/{found[1]}.txt"


def stand_alone(page: str, name: str, copy: Copy) -> str:
    """The page with relative links to what is copied, and none to anything else."""
    page = LIVE.sub("", OF_NO_USE.sub("", page))

    def relate(link: re.Match[str]) -> str:
        space, attribute, said = link.groups()
        address = unescape(said)
        if address.startswith(("#", "data:")):
            return link[0]
        if address.startswith("?"):
            address = f"{address_of(copy, name)}{address}"
        if not address.startswith("/") or address.startswith("//"):
            return ""
        target, _, fragment = address.partition("#")
        if attribute == "src" and target.partition("?")[0].endswith(".svg"):
            return f'{space}src="{draw_inline(target)}"'
        place = copy.place_of(target)
        if not place:
            return ""
        back = os.path.relpath(place, PurePosixPath(name).parent)
        told = escape(quote(back) + (f"#{fragment}" if fragment else ""))
        return f'{space}{attribute}="{told}"'

    page = LINK.sub(relate, page)
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    referrer = '<meta name="referrer" content="no-referrer">'
    return page.replace(HEAD, f"{HEAD}\n{policy}\n{referrer}", 1)


def draw_inline(address: str) -> str:
    """The drawing as a data address: a host would run scripts in a file of this type."""
    status, _, content = ask(address)
    if status != 200 or len(content) > MAX_INLINE_BYTES:
        return "data:,"
    return f"data:image/svg+xml;base64,{base64.b64encode(content).decode()}"


def address_of(copy: Copy, name: str) -> str:
    """Path of the page that is written under this name."""
    address = next(address for address, place in copy.known.items() if place == name)
    return urlsplit(address).path


def copy_assets(copy: Copy) -> None:
    """The site's own styles, fonts and scripts; no chart library."""
    source = Path(settings.BASE_DIR) / "static"
    for folder in ("css", "fonts", "js"):
        for path in sorted((source / folder).rglob("*")):
            if path.is_file():
                copy.write(f"static/{path.relative_to(source).as_posix()}", path.read_bytes())
    copy.write("static/icon.svg", (source / "icon.svg").read_bytes())
