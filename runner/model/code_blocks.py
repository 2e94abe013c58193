"""Finds code in a model's text: the signs around it, and fenced blocks.

A model may send megabytes of anything, so only the head of a text is searched, in linear time:
each pattern begins at a line, and what it has read it never gives back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

START, END = "<|execute_start|>", "<|execute_end|>"  # around code where markers are agreed on
PYTHON_TAGS = frozenset(
    {"python", "python3", "py", "py3", "ipython", "ipython3", "tool_code", "jupyter", "code-cell"}
    | {"jupyter-python"}
)
CODE_TAGS = frozenset(
    {"bash", "sh", "shell", "zsh", "console", "powershell", "cmd", "javascript", "js", "jsx"}
    | {"typescript", "ts", "tsx", "r", "sql", "java", "c", "cpp", "c++", "csharp", "cs", "go"}
    | {"rust", "ruby", "perl", "php", "lua", "julia", "matlab", "scala", "kotlin", "swift"}
)  # a block of these is code that we cannot run; of any other tag (json, text …) it is prose

SEARCHED_CHARS = 200_000  # of a text; a reply is rarely longer than 20,000
MOST_LEAD_CHARS = 1_000  # before a fence on its line
MOST_INFO_CHARS = 200  # read of what follows it
MOST_BLOCKS = 200  # counted in one reply
MOST_SPAN_CHARS = 1_000  # of a line before and behind what may stand in backticks
MOST_CLOSINGS = 10  # lines looked at that may close the first Python block
LONGEST_PARSED_CHARS = 50_000  # of Python whose strings are followed

# A line with a fence: three backticks with none but those of code before them, or tildes.
OPENING = re.compile(
    r"^(?P<lead>[^`\n]*+(?:`{1,2}+[^`\n]++`{1,2}+[^`\n]*+)*+(?=`)|[^`~\n]*+(?:~{1,2}+[^`~\n]++)*+)"
    r"(?P<fence>`{3,}+(?=[^`\n]*+$)|~{3,}+(?=[^`\n]*+$))(?P<info>[^\n]*+)",
    re.MULTILINE,
)
CLOSING = re.compile(r"^[^\S\n]*+(?P<fence>`{3,}+|~{3,}+)[^\S\n]*+$", re.MULTILINE)
TICKS = re.compile(r"(?<!`)`{1,2}+(?!`)")  # around code within a line
OPEN_BEFORE = ("", " ", "\t", "(", "[", "{")  # the backticks that open code
LIST_MARK = re.compile(r"(?:[-*+]|\d{1,3}[.)])?")  # may stand before a fence
TAG_END = re.compile(r"[\s:{},;]")
VERSION = re.compile(r"(?<=py|on)3\.\d{1,2}\Z")  # of Python, behind its tag
# Comments and strings of Python, as far as telling where they end takes.
STRING = re.compile(
    r"#[^\n]*+"
    r'|"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|\\?(?P<endless>\Z))'
    r"|'''(?:[^'\\]++|\\.|'(?!''))*+(?:'''|\\?(?P<unending>\Z))"
    r'|"(?:[^"\\\n]++|\\.)*+(?:"|(?P<broken>))'
    r"|'(?:[^'\\\n]++|\\.)*+(?:'|(?P<cracked>))",
    re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a text; `end` is None when the fence is never closed."""

    tag: str
    code: str
    start: int
    end: int | None


def find_blocks(text: str) -> list[Block]:
    """The fenced blocks in the head of `text`, in order; the last may be unclosed."""
    head = text[:SEARCHED_CHARS]
    blocks: list[Block] = []
    position, has_python = 0, False
    while len(blocks) < MOST_BLOCKS and (opening := next_opening(head, position)):
        tag = tag_of(opening["info"])
        may_be_python = not has_python and (not tag or tag in PYTHON_TAGS)
        start = min(opening.end() + 1, len(head))
        close = closing_line(head, start, opening["fence"], may_be_python)
        lead = opening["lead"]
        code = unindent(head[start : close.start() if close else None], lead)
        position = len(head) if close is None else min(close.end() + 1, len(head))
        end = None if close is None else position
        blocks.append(Block(tag, code, opening.start("fence"), end))
        has_python = has_python or may_be_python
        if close is None or position == len(head):
            break
    return blocks


def next_opening(text: str, position: int) -> re.Match[str] | None:
    """The first line from `position` on whose fence opens a block."""
    return next((o for o in OPENING.finditer(text, position) if opens_block(o)), None)


def opens_block(opening: re.Match[str]) -> bool:
    """True if a fence opens a block: alone on its line, or after words when it says Python."""
    lead = opening.end("lead") - opening.start("lead")
    if lead > MOST_LEAD_CHARS:
        return False
    is_alone = lead == 0 or LIST_MARK.fullmatch(opening["lead"].strip()) is not None
    return is_alone or opening["info"].strip().lower() in PYTHON_TAGS


def closing_line(text: str, start: int, fence: str, may_be_python: bool) -> re.Match[str] | None:
    """The line that closes `fence`: the same character, at least as long, alone.

    Python that writes Markdown holds such lines in its strings: those are passed over.
    """
    closes = (c for c in CLOSING.finditer(text, start) if c["fence"].startswith(fence))
    candidates = list(islice(closes, MOST_CLOSINGS if may_be_python else 1))
    for close in candidates if len(candidates) > 1 else ():
        if not ends_in_string(text[start : close.start()]):
            return close
    return candidates[0] if candidates else None


def ends_in_string(code: str) -> bool:
    """True if `code` breaks off inside a triple-quoted string."""
    if len(code) > LONGEST_PARSED_CHARS:
        return False
    for string in STRING.finditer(code):
        if string.lastgroup in ("broken", "cracked"):
            return False  # this is no Python
        if string.lastgroup:
            return True
    return False


def in_backticks(text: str, start: int, end: int) -> bool:
    """True if backticks on the line of `start` open code that ends behind `end` on its line."""
    lead = text[max(0, start - MOST_SPAN_CHARS) : start].rpartition("\n")[2]
    opening = last = ""
    for ticks in TICKS.finditer(lead):
        opening = "" if ticks[0] == opening else opening or ticks[0]
        is_opening = ticks.end() == len(lead) and lead[: ticks.start()][-1:] in OPEN_BEFORE
        last = ticks[0] if is_opening else ""
    opening = last or opening
    tail = text[end : end + MOST_SPAN_CHARS].partition("\n")[0]
    return bool(opening) and any(ticks[0] == opening for ticks in TICKS.finditer(tail))


def tag_of(info: str) -> str:
    """The language of a fence's info string: "{.python}", "python3.11 title=a.py" are "python"."""
    head = info[:MOST_INFO_CHARS].strip().strip("{}").lstrip(".")
    return VERSION.sub("", TAG_END.split(head, maxsplit=1)[0].lower())


def unindent(code: str, indent: str) -> str:
    """The code without the indentation that its fence has (in a list, say)."""
    if indent and indent.isspace():
        code = "\n".join(line.removeprefix(indent) for line in code.split("\n"))
    return code.rstrip("\r\n")


def is_code(block: Block) -> bool:
    return not block.tag or block.tag in PYTHON_TAGS or block.tag in CODE_TAGS
