"""A replay as one page that needs nothing else: to be sent, kept, or opened without a network."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.safestring import SafeString, mark_safe

from leaderboard.failures.tags import BY_KEY
from leaderboard.models import Attempt, Blob
from leaderboard.replay.drawing import draw_whole
from leaderboard.storage.blobs import read_head
from leaderboard.trajectories.export import raw_record
from leaderboard.views.access import find_attempt
from leaderboard.views.tasks import category_of

MAX_ARTIFACTS = 200
MAX_FILE_BYTES = 8 << 20
MAX_BYTES = 64 << 20  # of all files in the page
SHEETS = ("tokens", "base", "replay", "source", "tags", "evidence")
FONT_FACE = re.compile(r"@font-face \{[^}]*\}")
SOURCE = re.compile(r' src="(/[^"]*)"')
DIGEST = re.compile(r"/files/([0-9a-f]{64})/")
OTHER_WINDOW = re.compile(r' href="\?[^"#]*(#step-[0-9]+)"')
FRAME = re.compile(r'<details class="fold run-here" data-frame>.*?</details>', re.DOTALL)
LINK = re.compile(r' href="(/[^"]*)"')
# A picture that is shown twice is in the page once.
SCRIPT = """for (const copy of document.querySelectorAll("[data-same]")) {
  copy.src = document.getElementById(copy.dataset.same).src;
}"""


SCRIPT_HASH = f"sha256-{base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}"


@dataclass
class Inliner:
    """Puts files into the markup where it names them, each once."""

    left: int = MAX_BYTES
    missing: int = 0
    known: set[str] = field(default_factory=set)

    def inline(self, source: re.Match[str]) -> str:
        digest = DIGEST.search(source[1])
        if digest is None:
            return ""
        sha256 = digest[1]
        if sha256 in self.known:
            return f' data-same="file-{sha256[:16]}"'
        blob = Blob.objects.filter(pk=sha256).first()
        if blob is None or blob.size_bytes > min(MAX_FILE_BYTES, self.left):
            self.missing += 1
            return ""
        self.left -= blob.size_bytes
        self.known.add(sha256)
        content = base64.b64encode(read_head(blob, blob.size_bytes)).decode()
        return f' id="file-{sha256[:16]}" src="data:{blob.mime};base64,{content}"'


def self_contained(request: HttpRequest, run_id: int, key: str) -> HttpResponse:
    """The try that counts with its files, as one HTML document that loads nothing."""
    attempt = find_attempt(request, run_id, key)
    number = attempt.counted_try
    verdict = attempt.verdicts.filter(kind="strict", try_number=number).order_by("-pk").first()
    artifacts = attempt.artifacts.select_related("blob").filter(try_number=number)
    facts = {
        "attempt": attempt,
        "run": attempt.run,
        "task": attempt.task,
        "try_number": number,
        "is_last_try": True,
        "state": attempt.state,
    }
    whole = draw_whole(attempt, artifacts[:MAX_ARTIFACTS], verdict, facts)
    inliner = Inliner()
    evidence, cards = (stand_alone(part, inliner) for part in (whole.evidence, whole.cards))
    context = {
        **facts,
        "drawn": whole.drawn,
        "record": raw_record(attempt),
        "category": category_of(attempt.task)[1],
        "tags": [BY_KEY[row.tag] for row in attempt.tags.all() if row.tag in BY_KEY],
        "cards": cards,
        "evidence": evidence,
        "left_out": whole.left_out,
        "missing": inliner.missing,
        "styles": mark_safe(read_styles()),
        "script": mark_safe(SCRIPT),
        "script_hash": SCRIPT_HASH,
        "address": request.build_absolute_uri(attempt.get_absolute_url()),
        "today": timezone.now(),
    }
    page = lead_back(render_to_string("replay/self_contained.html", context), request)
    name = f"run-{run_id}-{name_of(attempt)}.html"
    response = HttpResponse(
        page.encode("utf-8", "replace"), content_type="text/html; charset=utf-8"
    )
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response


def name_of(attempt: Attempt) -> str:
    key = attempt.task.key
    return key if attempt.number == 1 else f"{key}-{attempt.number}"


def stand_alone(markup: str, inliner: Inliner) -> SafeString:
    """The site's `markup` with its files inside, without frames, with all steps on one page."""
    markup = FRAME.sub("", markup).replace(' loading="lazy"', "")
    markup = OTHER_WINDOW.sub(r' href="\1"', markup)
    return SafeString(SOURCE.sub(inliner.inline, markup))


def lead_back(page: str, request: HttpRequest) -> str:
    """`page` with links that lead to the site it is from."""
    site = request.build_absolute_uri("/").removesuffix("/")
    return LINK.sub(lambda link: f' href="{site}{link[1]}"', page)


@cache
def read_styles() -> str:
    folder = Path(settings.BASE_DIR) / "static" / "css"
    sheets = ((folder / f"{name}.css").read_text("utf-8") for name in SHEETS)
    return FONT_FACE.sub("", "\n".join(sheets))
