"""Finding the fenced code blocks in a model's text."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from itertools import accumulate, islice
from textwrap import dedent

PYTHON_TAGS = frozenset({"python", "python3", "py", "py3", "ipython", "ipython3", "tool_code"})
CODE_TAGS = frozenset(
    {"bash", "sh", "shell", "zsh", "console", "powershell", "cmd", "javascript", "js", "jsx"}
    | {"typescript", "ts", "tsx", "r", "sql", "java", "c", "cpp", "c++", "csharp", "cs", "go"}
    | {"rust", "ruby", "perl", "php", "lua", "julia", "matlab", "scala", "kotlin", "swift"}
)  # a block of these is code that we cannot run; of any other tag (json, text …) it is prose
OPENING = re.compile(r"^(?P<lead>[^`\n]{0,60}?)(?P<fence>`{3,}|~{3,})(?P<info>[^`\n]*)$")
LIST_MARK = re.compile(r"(?:[-*+]|\d{1,3}[.)])?")  # may stand before a fence

MOST_BLOCKS = 200  # counted in one reply
MOST_CLOSINGS = 10  # lines looked at that may close the first Python block
LONGEST_PARSED_CHARS = 50_000


@dataclass(frozen=True)
class Block:
    """A fenced block of a text; `end` is None when the fence is never closed."""

    tag: str
    code: str
    start: int
    end: int | None


def find_blocks(text: str) -> list[Block]:
    """The fenced blocks of `text` in order; the last may be unclosed."""
    lines = text.splitlines(keepends=True)
    starts = [0, *accumulate(len(line) for line in lines)]
    blocks: list[Block] = []
    index, has_python = 0, False
    while index < len(lines) and len(blocks) < MOST_BLOCKS:
        opening = OPENING.match(lines[index].rstrip("\r\n"))
        if not opening or not opens_block(opening):
            index += 1
            continue
        tag = tag_of(opening["info"])
        may_be_python = not has_python and (not tag or tag in PYTHON_TAGS)
        close = closing_line(lines, index + 1, opening["fence"], may_be_python)
        start = starts[index] + opening.start("fence")
        indent = lines[index][: opening.start("fence")]
        code = unindent(lines[index + 1 : close], indent if indent.isspace() else "")
        end = None if close is None else starts[close + 1]
        blocks.append(Block(tag, code, start, end))
        has_python = has_python or may_be_python
        index = len(lines) if close is None else close + 1
    return blocks


def opens_block(opening: re.Match[str]) -> bool:
    """Whether a fence opens a block: alone on its line, or after words when it says Python."""
    is_alone = bool(LIST_MARK.fullmatch(opening["lead"].strip()))
    return is_alone or opening["info"].strip().lower() in PYTHON_TAGS


def closing_line(lines: list[str], start: int, fence: str, may_be_python: bool) -> int | None:
    """The line that closes `fence`: the same character, at least as long, alone.

    Python that writes Markdown holds such lines in its strings: those are passed over.
    """
    closes = (i for i in range(start, len(lines)) if is_closing(lines[i], fence))
    candidates = list(islice(closes, MOST_CLOSINGS if may_be_python else 1))
    for index in candidates if len(candidates) > 1 else ():
        if not ends_in_string("".join(lines[start:index])):
            return index
    return candidates[0] if candidates else None


def is_closing(line: str, fence: str) -> bool:
    line = line.strip()
    return len(line) >= len(fence) and line == fence[0] * len(line)


def ends_in_string(code: str) -> bool:
    """Whether `code` breaks off inside a triple-quoted string."""
    if len(code) > LONGEST_PARSED_CHARS:
        return False
    try:
        with warnings.catch_warnings():  # of invalid escapes and the like: the model's business
            warnings.simplefilter("ignore")
            ast.parse(dedent(code))
    except SyntaxError as error:
        return "unterminated triple-quoted" in error.msg
    except (ValueError, RecursionError, MemoryError):
        pass
    return False


def tag_of(info: str) -> str:
    """The language of a fence's info string: "{.python}", "python title=a.py" are "python"."""
    return re.split(r"[\s:{},;]", info.strip().strip("{}").lstrip("."), maxsplit=1)[0].lower()


def unindent(lines: list[str], indent: str) -> str:
    """The lines without the indentation that their fence has (in a list, say)."""
    return "".join(line.removeprefix(indent) for line in lines).rstrip("\r\n")


def is_code(block: Block) -> bool:
    return not block.tag or block.tag in PYTHON_TAGS or block.tag in CODE_TAGS
