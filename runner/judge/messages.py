"""Messages to a judge: our headings, and everything else delimited as data that cannot end it."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from runner.judge import prompts
from runner.judge.shown_attempt import ShownAttempt, ShownFile, ShownStep

QUERY_CHARS, ANSWER_CHARS, FACT_CHARS = 8_000, 8_000, 4_000
CODE_CHARS, OUTPUT_CHARS, THOUGHT_CHARS, FILE_CHARS = 6_000, 4_000, 1_500, 4_000
MOST_STEPS = 40  # the first and the last half of them
MOST_FILES, MOST_PICTURES = 12, 4
IMAGE_TOKENS = 1_600  # of one picture: more than most models count
BYTES_PER_TOKEN = 3  # fewer than most texts have: an estimate is rather too high

JudgeMessage = Mapping[str, object]


@dataclass(frozen=True)
class Section:
    """One of our headings with the text or the picture under it."""

    heading: str
    text: str = ""
    picture: str = ""
    is_heading_only: bool = False


def build_messages(
    form: str,
    trajectory: ShownAttempt,
    reference: ShownAttempt | None = None,
    *,
    takes_images: bool = False,
    complaint: str = "",
) -> list[JudgeMessage]:
    """The conversation for one verdict. `complaint`: why the judge's last reply was refused, a
    sentence that we wrote.

    Raises ValueError for the pairwise form without a reference.
    """
    sections = list(list_sections(form, trajectory, reference, takes_images))
    token = new_token(section.text for section in sections)
    parts: list[dict[str, object]] = [text_part(prompts.INTRODUCTION)]
    for section in sections:
        parts += section_parts(section, token)
    parts.append(text_part(prompts.CLOSING))
    if complaint:
        parts.append(text_part(prompts.REFUSED.format(reason=complaint)))
    return [
        {"role": "system", "content": prompts.fill_system(form, token)},
        {"role": "user", "content": merge_parts(parts)},
    ]


def list_sections(
    form: str, trajectory: ShownAttempt, reference: ShownAttempt | None, takes_images: bool
) -> Iterator[Section]:
    if form == "single":
        yield from query_sections(trajectory)
        yield from attempt_sections(trajectory, "", takes_images)
        return
    if reference is None:
        raise ValueError("the pairwise form needs a reference attempt")
    yield from query_sections(trajectory)
    names = (*trajectory.names, *reference.names)
    for number, one in enumerate((reference, trajectory), 1):
        yield from attempt_sections(one, f"Agent {number}, ", takes_images, names)


def query_sections(trajectory: ShownAttempt) -> Iterator[Section]:
    yield cut_section("query", trajectory.query, QUERY_CHARS, ())
    yield cut_section("inputs", trajectory.inputs, FACT_CHARS, trajectory.names)


def attempt_sections(
    one: ShownAttempt, agent: str, takes_images: bool, names: Sequence[str] = ()
) -> Iterator[Section]:
    names = tuple(names) or one.names
    yield from step_sections(one.steps, agent, names)
    yield cut_section(f"{agent}final answer", one.answer or "", ANSWER_CHARS, names)
    pictures = MOST_PICTURES if takes_images else 0
    for number, file in enumerate(one.files[:MOST_FILES], 1):
        is_shown = bool(file.picture) and pictures > 0
        pictures -= is_shown
        yield from file_sections(file, f"{agent}file {number}", names, is_shown)
    rest = "\n".join(file.path for file in one.files[MOST_FILES:])
    if left := "\n".join(text for text in (one.left_out, rest) if text):
        yield cut_section(f"{agent}files refused or left out", left, FACT_CHARS, names)
    yield cut_section(f"{agent}facts recorded by the site", one.facts, FACT_CHARS, names)


def step_sections(
    steps: Sequence[ShownStep], agent: str, names: Sequence[str]
) -> Iterator[Section]:
    half = MOST_STEPS // 2
    first, last = list(steps), list[ShownStep]()
    if len(steps) > MOST_STEPS:
        first, last = list(steps[:half]), list(steps[-half:])
    yield from shown_steps(first, agent, names)
    if last:
        gap = f"steps {first[-1].index + 1} to {last[0].index - 1} are left out"
        yield Section(f"{agent}{gap}", is_heading_only=True)
        yield from shown_steps(last, agent, names)


def shown_steps(steps: Sequence[ShownStep], agent: str, names: Sequence[str]) -> Iterator[Section]:
    for step in steps:
        head = f"{agent}step {step.index}, "
        if step.thought:
            yield cut_section(f"{head}thought", step.thought, THOUGHT_CHARS, names)
        if step.code:
            yield cut_section(f"{head}code", step.code, CODE_CHARS, names)
            yield cut_section(f"{head}output", step.output, OUTPUT_CHARS, names)


def file_sections(
    file: ShownFile, head: str, names: Sequence[str], is_picture_shown: bool
) -> Iterator[Section]:
    yield cut_section(f"{head}, name and facts", f"{file.path}\n{file.facts}", FACT_CHARS, names)
    if file.text:
        yield cut_section(f"{head}, content", file.text, FILE_CHARS, names)
    if is_picture_shown:
        yield Section(f"{head}, picture", picture=file.picture)


def cut_section(heading: str, text: str, limit_chars: int, names: Sequence[str]) -> Section:
    """A section of at most about `limit_chars`; its heading says what is left out."""
    kept, left_out = cut_between_names(text, limit_chars, names)
    kept, more = cut_middle(withhold(kept, names), limit_chars + limit_chars // 2)
    if left_out := left_out + more:
        heading += f" ({left_out:,} of {len(text):,} characters are left out in the middle)"
    return Section(heading, show_hidden(kept) or prompts.NOTHING)


def section_parts(section: Section, token: str) -> list[dict[str, object]]:
    heading = f"## {section.heading}"
    if section.picture:
        image: dict[str, object] = {"type": "image_url", "image_url": {"url": section.picture}}
        return [text_part(heading), image]
    if section.is_heading_only:
        return [text_part(heading)]
    return [text_part(f"{heading}\n{enclose(section.text, token)}")]


def text_part(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def merge_parts(parts: Sequence[dict[str, object]]) -> object:
    """One text where there is no picture, since not every endpoint takes parts; else the parts."""
    if all(part["type"] == "text" for part in parts):
        return "\n\n".join(str(part["text"]) for part in parts)
    return list(parts)


def texts_of_message(message: JudgeMessage) -> str:
    """All text of a message."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n\n".join(str(p.get("text", "")) for p in parts if isinstance(p, dict))


def count_pictures(messages: Sequence[JudgeMessage]) -> int:
    contents = (message.get("content") for message in messages)
    lists = (content for content in contents if isinstance(content, list))
    return sum(part.get("type") == "image_url" for content in lists for part in content)


def estimate_tokens(messages: Sequence[JudgeMessage]) -> int:
    """Tokens of a request, rather too many than too few."""
    size_bytes = sum(len(texts_of_message(m).encode("utf-8", "replace")) for m in messages)
    return -(-size_bytes // BYTES_PER_TOKEN) + IMAGE_TOKENS * count_pictures(messages)


WITHHELD = "[name withheld]"
LEAST_NAME_CHARS = 3
MOST_NAMES, MOST_NAME_CHARS = 20, 100
NAME_REACH = 2 * MOST_NAME_CHARS  # around a cut: a name that crosses it lies within
PLAIN_CONTROLS = "\n\t"
HIDDEN_CATEGORIES = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


def new_token(texts: Iterable[str], draw: Callable[[], str] = lambda: secrets.token_hex(16)) -> str:
    """A random token that none of `texts` contains."""
    joined = "\n".join(texts)
    while (token := draw()) in joined:
        pass
    return token


def enclose(text: str, token: str) -> str:
    """`text` between the lines that delimit data. Raises ValueError if it contains the token."""
    if token in text:
        raise ValueError("the text contains the token that delimits it")
    return f"<<<DATA {token}>>>\n{text}\n<<<END {token}>>>"


def show_hidden(text: str) -> str:
    r"""`text` with every character that cannot be seen written as \u{…}."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(map(spell_hidden, text.replace("\r\n", "\n")))


@lru_cache(maxsize=8192)
def spell_hidden(char: str) -> str:
    if char in PLAIN_CONTROLS or unicodedata.category(char) not in HIDDEN_CATEGORIES:
        return char
    return f"\\u{{{ord(char):x}}}"


def withhold(text: str, names: Iterable[str]) -> str:
    """`text` without `names`, whatever their case, where each stands as a word of its own."""
    pattern = pattern_of(tuple(names))
    return pattern.sub(WITHHELD, text) if pattern else text


@lru_cache(maxsize=64)
def pattern_of(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """A pattern of plain alternatives, longest first; None without a name."""
    bounded = (name.strip()[:MOST_NAME_CHARS] for name in names)
    known = {name for name in bounded if len(name) >= LEAST_NAME_CHARS}
    longest_first = sorted(known, key=lambda name: (-len(name), name))[:MOST_NAMES]
    if not longest_first:
        return None
    words = "|".join(re.escape(name) for name in longest_first)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


def cut_between_names(text: str, limit_chars: int, names: Iterable[str]) -> tuple[str, int]:
    """As `cut_middle`, but no name is cut through: one at the cut is left out whole.

    Looks at the cuts' surroundings alone, however long the text.
    """
    pattern = pattern_of(tuple(names))
    if len(text) <= limit_chars or pattern is None:
        return cut_middle(text, limit_chars)
    half = limit_chars // 2
    head, tail = half, len(text) - half
    for name in pattern.finditer(text, max(0, half - NAME_REACH), half + NAME_REACH):
        head = name.start() if name.start() < half < name.end() else head
    for name in pattern.finditer(text, max(0, tail - NAME_REACH), tail + NAME_REACH):
        tail = name.end() if name.start() < len(text) - half < name.end() else tail
    return text[:head] + "\n" + text[tail:], tail - head


def cut_middle(text: str, limit_chars: int) -> tuple[str, int]:
    """Head and tail of `text`, `limit_chars` in all, and how many characters are left out."""
    if len(text) <= limit_chars:
        return text, 0
    half = limit_chars // 2
    return text[:half] + "\n" + text[-half:], len(text) - 2 * half
