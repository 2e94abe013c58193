"""Runs in a kernel: changes of a text, page, document or sound that a solution saved."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

TEXTS = (".txt", ".md", ".srt", ".log", ".ics")
PAGES = (".html", ".htm")
SOUNDS = (".wav", ".flac", ".ogg", ".mp3")
OTHER_WORD = "Zanzibar"
Writer = Callable[[Path], Any]


def changed_documents(path: Path) -> dict[str, Writer]:
    kind = path.suffix.lower()
    if kind in TEXTS:
        return changed_texts(path)
    if kind in PAGES:
        return changed_pages(path)
    if kind == ".docx":
        return changed_word(path)
    return changed_sounds(path) if kind in SOUNDS else {}


def write_text(text: str, target: Path) -> None:
    target.write_text(text, "utf-8")


def changed_texts(path: Path) -> dict[str, Writer]:
    lines = path.read_text("utf-8-sig").splitlines()
    full = [place for place, line in enumerate(lines) if len(line.strip()) > 1]
    if len(full) < 2:
        return {}
    middle = full[len(full) // 2]
    word = re.sub(r"[^\W\d]{4,}|[\u4e00-\u9fff]{2}", OTHER_WORD, lines[middle], count=1)
    made = {
        "drop-row": [*lines[:middle], *lines[middle + 1 :]],
        "reverse-order": lines[::-1],
        "change-word": [*lines[:middle], word, *lines[middle + 1 :]],
        "blank-area": lines[: len(lines) // 3],
    }
    return {
        name: partial(write_text, "\n".join(kept) + "\n")
        for name, kept in made.items()
        if kept != lines
    }


def changed_pages(path: Path) -> dict[str, Writer]:
    """The page with half of what its body holds, and with a word of its text changed."""
    from bs4 import BeautifulSoup

    source = path.read_text("utf-8-sig")
    made = {}
    for name, change in (("blank-area", drop_half), ("change-word", change_page_word)):
        page = BeautifulSoup(source, "html.parser")
        if page.body and change(page.body):
            made[name] = str(page)
    return {name: partial(write_text, text) for name, text in made.items()}


def drop_half(body: Any) -> bool:
    parts = [
        part for part in body.find_all(recursive=False) if part.name not in ("script", "style")
    ]
    while len(parts) == 1:
        parts = parts[0].find_all(recursive=False)
    for part in parts[len(parts) // 2 :]:
        part.decompose()
    return bool(parts)


def change_page_word(body: Any) -> bool:
    head = body.find(["h1", "h2", "td", "p"])
    text = head.find(string=True) if head else None
    if text is None:
        return False
    text.replace_with(OTHER_WORD)
    return True


def changed_word(path: Path) -> dict[str, Writer]:
    import docx

    def made(change: Callable[[list[Any]], None]) -> Writer | None:
        document = docx.Document(path)
        full = [p for p in document.paragraphs if p.text.strip()]
        if len(full) < 2:
            return None
        change(full)
        return lambda target: document.save(str(target))

    def drop(full: list[Any]) -> None:
        for one in full[len(full) // 3 :]:
            one._element.getparent().remove(one._element)

    def turn(full: list[Any]) -> None:
        texts = [one.text for one in full]
        for one, text in zip(full, texts[::-1], strict=True):
            one.text = text

    found = {"blank-area": made(drop), "reverse-order": made(turn)}
    return {name: save for name, save in found.items() if save is not None}


def changed_sounds(path: Path) -> dict[str, Writer]:
    from pydub import AudioSegment

    form = path.suffix.lower().lstrip(".")
    sound = AudioSegment.from_file(path)
    third = len(sound) // 3
    made = {
        "reverse-order": sound.reverse(),
        "blank-area": sound[:third]
        + AudioSegment.silent(third, sound.frame_rate)
        + sound[2 * third :],
        "drop-row": sound[: 2 * third],
        "scale-by-10": sound - 20,
    }
    return {name: partial(kept.export, format=form) for name, kept in made.items()}
