"""Finds tool calls that a server without a tool parser left in a reply's text.

Each row of the table is a form in which models write calls, with the parsers of vLLM and SGLang
that would have read it. In a fenced block, in backticks or within a sentence a form is text.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from runner.contract import CALL_ADVICE
from runner.model.code_blocks import SEARCHED_CHARS, find_blocks

TOOL_NAME = "execute_python"
MOST_HEAD_CHARS = 200  # of half a call, in which its name is looked for
MOST_CALLS = 64  # looked at in one reply
MOST_LINES = 8  # that begin with a bracket and are tried as JSON
LONGEST_PARSED_CHARS = 50_000  # of a call in Python
JSON_TAGS = ("", "json", "json5", "tool_call", "tool_calls", "tool_code", "tool", "xml")

NAME = r"(?P<name>[A-Za-z_][\w.-]{0,63})"
DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True)
class TextCall:
    """A call as it stands in a text: `arguments` is None where they cannot be read."""

    name: str
    arguments: Any
    end: int  # where it ends in the text


@dataclass(frozen=True)
class FoundCalls:
    """The calls in a text, in order; none where a call is there and cannot be read."""

    form: str  # name of its row
    calls: tuple[TextCall, ...]
    start: int  # where the first begins
    end: int


@dataclass(frozen=True)
class CallForm:
    """A form of calls: what its pattern matches stands before what `read` reads."""

    name: str
    pattern: str
    read: Callable[[str, re.Match[str]], list[TextCall]]
    vllm: str = "hermes"  # the parser that reads it
    sglang: str = "qwen25"


def read_json(text: str, mark: re.Match[str]) -> list[TextCall]:
    """Calls as JSON, one or a list, or as Python."""
    position = after_blanks(text, mark.end())
    if text.startswith(("{", "["), position) and (found := calls_at(text, position)):
        return found
    return calls_in_python(text, position)


def read_arguments(text: str, mark: re.Match[str]) -> list[TextCall]:
    """The arguments of a call whose name the form gives, as JSON."""
    value, end = value_at(text, after_blanks(text, mark.end()))
    return [TextCall(mark["name"], value if isinstance(value, dict) else None, end)]


def read_name_or_json(text: str, mark: re.Match[str]) -> list[TextCall]:
    return read_arguments(text, mark) if mark["name"] else read_json(text, mark)


def read_parameters(text: str, mark: re.Match[str]) -> list[TextCall]:
    """The arguments of a call as elements of XML, or as JSON."""
    position = after_blanks(text, mark.end())
    if text.startswith("{", position):
        return read_arguments(text, mark)
    arguments: dict[str, str] = {}
    while (key := PARAMETER.match(text, after_blanks(text, position))) and len(arguments) < 9:
        close = PARAMETER_END.search(text, key.end()) or CALL_END.search(text, key.end())
        position = close.end() if close else len(text)
        value = text[key.end() : close.start() if close else len(text)]
        arguments[key["key"]] = value.removeprefix("\n").removesuffix("\n")
    return [TextCall(mark["name"], arguments or None, position)]


def read_pairs(text: str, mark: re.Match[str]) -> list[TextCall]:
    """The arguments of a call as pairs of a key and a value."""
    arguments: dict[str, str] = {}
    position = mark.end()
    while (key := PAIR.match(text, position)) and len(arguments) < 9:
        end = text.find("</arg_value>", key.end())
        end = len(text) if end < 0 else end
        arguments[key["key"]] = text[key.end() : end].removeprefix("\n").removesuffix("\n")
        position = end + len("</arg_value>")
    return [TextCall(mark["name"], arguments or None, min(position, len(text)))]


def read_quoted(text: str, mark: re.Match[str]) -> list[TextCall]:
    """The arguments of a call between signs that stand for quotes."""
    arguments: dict[str, str] = {}
    position = mark.end()
    while (key := QUOTED.match(text, position)) and len(arguments) < 9:
        end = text.find(key["quote"], key.end())
        end = len(text) if end < 0 else end
        arguments[key["key"]] = text[key.end() : end]
        position = end + len(key["quote"])
    return [TextCall(mark["name"], arguments or None, min(position, len(text)))]


PREFIX = r"(?:[\w｜|]{1,16}[:｜])?"
PARAMETER = re.compile(
    rf"<{PREFIX}param(?:eter)?(?: name)?=[\"']?(?P<key>\w{{1,60}})[\"']?[^<>\n]{{0,80}}>"
)
PARAMETER_END = re.compile(rf"</{PREFIX}param(?:eter)?>")
CALL_END = re.compile(rf"</{PREFIX}(?:function|invoke|tool_call)>")
PAIR = re.compile(r"\s*+<arg_key>\s*+(?P<key>\w{1,60})\s*+</arg_key>\s*+<arg_value>")
QUOTED = re.compile(r"[\s,]*+(?P<key>\w{1,60}):\s*+(?P<quote><\|\"\|>|<escape>)")

FORMS = (
    CallForm(
        "gpt-oss",
        r"(?:<\|end\|>\s*)?(?:(?:<\|start\|>)?assistant(?:(?:<\|channel\|>)?(?:analysis|commentary))?"
        r"|(?:<\|channel\|>)?(?:analysis|commentary)) to="
        rf"(?:functions\.)?{NAME}[^{{\n]{{0,160}}",
        read_arguments,
        "openai",
        "gpt-oss",
    ),
    CallForm(
        "DeepSeek",
        rf"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?{NAME}(?:<｜tool▁sep｜>)?\s*(?:```json)?",
        read_arguments,
        "deepseek_v31",
        "deepseekv31",
    ),
    CallForm(
        "Kimi",
        rf"<\|tool_call_begin\|>\s*(?:functions\.)?{NAME}(?::\d+)?\s*<\|tool_call_argument_begin\|>",
        read_arguments,
        "kimi_k2",
        "kimi_k2",
    ),
    CallForm(
        "GLM",
        rf"<tool_call>\s*{NAME}\s*(?:<tool_sep>\s*)?(?=<arg_key>)",
        read_pairs,
        "glm45",
        "glm45",
    ),
    CallForm("GLM 4", rf"\A\s*(?P<name>{TOOL_NAME})\s*(?=\{{)", read_arguments, "glm45", "glm45"),
    CallForm(
        "XML elements",
        rf"<{PREFIX}(?:function=|function name=|invoke name=)[\"']?{NAME}[\"']?\s*>",
        read_parameters,
        "qwen3_coder",
        "qwen3_coder",
    ),
    CallForm(
        "Gemma",
        rf"(?:<\|tool_call>|<start_function_call>)\s*call:{NAME}\s*\{{",
        read_quoted,
        "gemma4",
        "gemma4",
    ),
    CallForm(
        "Mistral",
        rf"\[TOOL_CALLS\]\s*(?:{NAME}\s*(?:\[CALL_ID\]\w{{1,40}}\s*)?(?:\[ARGS\]\s*)?(?=\{{))?",
        read_name_or_json,
        "mistral",
        "mistral",
    ),
    CallForm(
        "Llama",
        r"<\|python_(?:tag|start)\|>",
        read_json,
        "llama3_json",
        "llama3",
    ),
    CallForm(
        "Hermes",
        r"<tool_?calls?>|<\|tool_calls?\|>|<\|tool_call_(?:start|begin)\|>|<\|function_call\|>"
        r"|<function_calls?>|<tools>|<longcat_tool_call>|<\|tools_prefix\|>"
        r"|\[TOOL_REQUEST\]|<\|START_ACTION\|>|<\|action_start\|>\s*<\|plugin\|>"
        r"|functools(?=\[)|function call(?=\{)",
        read_json,
    ),
)
PATTERNS = [re.compile(form.pattern, re.IGNORECASE) for form in FORMS]
MARK = re.compile(
    "|".join(f"({form.pattern.replace('?P<name>', '?:')})" for form in FORMS), re.IGNORECASE
)
PLAIN = CallForm("JSON", "", read_json)  # without a mark
BRACKET = re.compile(r"^[ \t]*+(?=[{\[])", re.MULTILINE)
FOLLOWING = re.compile(r"[\s;,]*+(?=[{\[])")
BLANKS = re.compile(r"\s*+")
ATTEMPT = re.compile(rf"\s*+[^<>`\n]{{0,60}}?\s*+[\"']?{TOOL_NAME}[\"']?\s*[,(\[{{:<]")  # at a call


def find_calls(text: str) -> FoundCalls | None:
    """The calls in the head of `text`; None where there is none."""
    text = text[:SEARCHED_CHARS]
    return find_marked(text) or find_plain(text)


def find_marked(text: str) -> FoundCalls | None:
    """The calls behind marks that only calls have."""
    head = text[:SEARCHED_CHARS]
    blocks = [(b.start, b.end or len(head)) for b in find_blocks(head)]
    found: FoundCalls | None = None
    position = 0
    for _ in range(MOST_CALLS):
        mark = MARK.search(head, position)
        if mark is None:
            break
        position = mark.end()
        if is_quoted(head, mark, blocks):
            continue
        number = (mark.lastindex or 1) - 1
        form = FORMS[number]
        exact = PATTERNS[number].match(head, mark.start())
        calls = form.read(head, exact) if exact else []
        if not calls and (found is not None or not ATTEMPT.match(head, mark.end())):
            continue
        position = max([position, *(call.end for call in calls)])
        if found is None or not found.calls:
            found = FoundCalls(form.name, tuple(calls), mark.start(), position)
        else:
            found = FoundCalls(found.form, (*found.calls, *calls), found.start, position)
    return found


def is_quoted(text: str, mark: re.Match[str], blocks: list[tuple[int, int]]) -> bool:
    """True for a mark that Markdown or HTML shows as text, or in a fence that is not all of it."""
    before = text[: mark.start()]
    earlier, _, lead = before.rpartition("\n")
    if lead.replace("```", "").count("`") % 2 or lead.lstrip().startswith((">", "|")):
        return True
    if lead.startswith(("    ", "\t")) and earlier.strip() and earlier.endswith("\n"):
        return True
    if any(before.rfind(f"<{tag}>") > before.rfind(f"</{tag}>") for tag in ("pre", "code")):
        return True
    for start, end in blocks:
        if start <= mark.start() < end:
            return bool(text[:start].strip()) or bool(text[end:].strip())
    return False


def find_plain(text: str) -> FoundCalls | None:
    """Calls of our tool as bare JSON or Python that begin or end the text, in a fence or not.

    A call between sentences is one that the text speaks of.
    """
    for place in plain_places(text):
        calls = calls_at(text, place) or calls_in_python(text, place)
        if not calls or calls[0].name != TOOL_NAME:
            continue
        before, after = without_fence(text[:place]), without_fence(text[calls[-1].end :])
        if not before or not after:
            return FoundCalls(PLAIN.name, tuple(calls), place, calls[-1].end)
    start = next(plain_places(text), len(text))
    is_named = f'"{TOOL_NAME}"' in text[start : start + MOST_HEAD_CHARS]
    if is_named and not without_fence(text[:start]) and value_at(text, start)[0] is None:
        return FoundCalls(PLAIN.name, (), start, len(text))
    return None


def plain_places(text: str) -> Iterator[int]:
    """Places where a call without a mark may begin: the first words, or a bracket of a line."""
    blocks = find_blocks(text)
    first = after_blanks(text, 0)
    if blocks and blocks[0].start == first:
        first = text.find("\n", first) + 1
    if text.startswith(TOOL_NAME, first):
        yield first
    foreign = [b for b in blocks if b.tag not in JSON_TAGS]
    tried = 0
    for line in BRACKET.finditer(text):
        if any(b.start <= line.end() < (b.end or len(text)) for b in foreign):
            continue
        tried += 1
        yield line.end()
        if tried == MOST_LINES:
            return


def without_fence(text: str) -> str:
    """`text` without blanks, and without a fence that is all of it but words at its other side."""
    return FENCE_AT_START.sub("", FENCE_AT_END.sub("", text.strip())).strip()


def calls_at(text: str, position: int) -> list[TextCall]:
    """The calls in the JSON values from `position` on."""
    calls: list[TextCall] = []
    while len(calls) < MOST_CALLS:
        value, end = value_at(text, position)
        found = list(calls_of(value, end))
        if not found:
            break
        calls += found
        following = FOLLOWING.match(text, end)
        if following is None:
            break
        position = following.end()
    return calls


def value_at(text: str, position: int) -> tuple[Any, int]:
    """The JSON value at `position`, or what Python writes instead; None where there is none."""
    try:
        return DECODER.raw_decode(text, position)
    except (ValueError, RecursionError):
        pass
    end = text.rfind("}", position, position + LONGEST_PARSED_CHARS) + 1
    if text.startswith(("{'", "[{'"), position) and end:
        try:
            return ast.literal_eval(text[position:end].strip()), end
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            pass
    return None, position


def calls_of(value: object, end: int) -> Iterator[TextCall]:
    """The calls in a JSON value: under the names that models and servers give their parts."""
    if isinstance(value, list):
        for one in value[:MOST_CALLS]:
            yield from calls_of(one, end) if isinstance(one, dict) else ()
        return
    if not isinstance(value, dict):
        return
    for key in ("tool_calls", "function", "tool_call", "function_call"):
        if isinstance(value.get(key), list | dict):
            yield from calls_of(value[key], end)
            return
    name = next((value[key] for key in NAME_KEYS if isinstance(value.get(key), str)), None)
    arguments = next((value[key] for key in ARGUMENT_KEYS if key in value), None)
    if name is None and len(value) == 1:
        name, arguments = next(iter(value.items()))
        name = name if name == TOOL_NAME else None
    elif not any(key in value for key in ARGUMENT_KEYS):
        return
    if name is None:
        return
    if isinstance(arguments, str):
        arguments, _ = value_at(arguments, after_blanks(arguments, 0))
    arguments = arguments if isinstance(arguments, dict) else None
    yield TextCall(name.removeprefix("functions."), arguments, end)


NAME_KEYS = ("name", "tool_name", "tool", "function", "action", "recipient_name")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input", "tool_input")


def calls_in_python(text: str, position: int) -> list[TextCall]:
    """Calls written in Python: `[name(code="…")]`, `name.call(code="…")`, up to a closing mark."""
    rest = PYTHON_END.split(text[position : position + LONGEST_PARSED_CHARS], maxsplit=1)[0]
    if not PYTHON_CALL.match(rest):
        return []
    try:
        tree = ast.parse(rest.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    nodes = tree.elts if isinstance(tree, ast.List | ast.Tuple) else [tree]
    return [
        TextCall(name, arguments_in_python(node), position + len(rest))
        for node in nodes[:MOST_CALLS]
        if isinstance(node, ast.Call) and (name := called(node.func))
    ]


def called(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute) and node.attr == "call":
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def arguments_in_python(node: ast.Call) -> dict[str, Any] | None:
    """The arguments of a call, all of them constants; a lone one without a name is the code."""
    values = {word.arg or "": word.value for word in node.keywords}
    if len(node.args) == 1 and not values:
        values = {"code": node.args[0]}
    constants = {key: one.value for key, one in values.items() if isinstance(one, ast.Constant)}
    return constants if len(constants) == len(values) else None


PYTHON_CALL = re.compile(r"\s*+\[?\s*+[A-Za-z_]\w{0,63}(?:\.call)?\(")
PYTHON_END = re.compile(r"<\|?/?[a-z_]{3,30}\|?>|\n```")
MOST_MARKS_BEFORE, MOST_MARK_CHARS = 4, 60  # of a call, and of one of them
A_MARK = r"(?:</?\|?[\w:｜▁]{1,40}[|｜]?>(?:function(?=<))?|\[/?[A-Z_]{3,30}\])"
MARK_AT_END = re.compile(rf"{A_MARK}(?:function)?\Z")
MARKS_AT_START = re.compile(rf"\A\s*+(?:[}}`]{{1,3}}+(?=<))?(?:{A_MARK}\s*+)*+")
FENCE_AT_START = re.compile(r"\A(?:`{3,}+|~{3,}+)\w{0,20}[ \t]*+(?:\n|\Z)")
FENCE_AT_END = re.compile(r"(?:`{3,}+|~{3,}+)\w{0,20}\s*+\Z")


def words_around(text: str, found: FoundCalls) -> tuple[str, str]:
    """The words before and after the calls, without the marks of the calls themselves."""
    before, after = text[: found.start].rstrip(), text[found.end :]
    for _ in range(MOST_MARKS_BEFORE):
        if mark := MARK_AT_END.search(before[-MOST_MARK_CHARS:]):
            before = before[: -len(mark[0])].rstrip()
    return without_fence(before), without_fence(MARKS_AT_START.sub("", after, count=1))


def after_blanks(text: str, position: int) -> int:
    blanks = BLANKS.match(text, position)
    return blanks.end() if blanks else position


def advise(form: str) -> str:
    """Options by which servers read the calls of this form themselves."""
    row = next((row for row in FORMS if row.name == form), PLAIN)
    return CALL_ADVICE.format(vllm=row.vllm, sglang=row.sglang)
