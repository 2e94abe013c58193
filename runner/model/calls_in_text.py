"""Finds tool calls that a server without a tool parser left in a reply's text.

Each row of the table is a form in which models write calls, with the parsers of vLLM and SGLang
that would have read it, "" where there is none. A form holds a call as the family writes it, or
plain code. Where Markdown or HTML quotes it, a form is text; within a sentence it is text unless it
holds a call. The last rows are forms whose special tokens the server took out: these begin or end
the reply.
"""

from __future__ import annotations

import ast
import io
import json
import re
import textwrap
import tokenize
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from runner.contract import call_advice
from runner.model.code_blocks import PYTHON_TAGS, SEARCHED_CHARS, find_blocks, in_backticks

TOOL_NAME = "execute_python"
MOST_TABLE_CHARS = 5_000  # of a table before the row that is looked at
MOST_HEAD_CHARS = 200  # of half a call, in which its name is looked for
MOST_ARGUMENTS = 9  # of a call
MOST_CALLS = 64  # looked at in one reply
MOST_LINES = 8  # that begin with a bracket and are tried as JSON
LONGEST_PARSED_CHARS = 50_000  # of a call in Python
MOST_CLOSINGS = 4  # of an argument that are tried, from the last
MOST_PARSED = 16  # pieces of a reply that are tried as plain code
JSON_TAGS = ("", "json", "json5", "tool_call", "tool_calls", "tool_code", "tool", "xml", "yaml",
             "yml")  # fmt: skip
CODE_TAG = "tool_code"  # of Gemma's fence, around a call in Python or plain code

NAME = r"(?P<name>[A-Za-z_][\w.-]{0,63})"
DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True)
class TextCall:
    """A call as it stands in a text: `arguments` is None where they cannot be read."""

    name: str
    arguments: Any
    end: int  # where it ends in the text
    is_closed: bool = True  # as far as its form tells


@dataclass(frozen=True)
class FoundCalls:
    """The calls in a text, in order; none where a call is there and cannot be read."""

    form: str  # name of its row
    calls: tuple[TextCall, ...]
    start: int  # where the first begins
    end: int

    @property
    def is_read(self) -> bool:
        return any(call.arguments is not None for call in self.calls)


@dataclass(frozen=True)
class CallForm:
    """A form of calls: what its pattern matches stands before what `read` reads."""

    name: str
    pattern: str
    read: Callable[[str, re.Match[str]], list[TextCall]]
    vllm: str = ""  # the parser that reads it
    sglang: str = ""
    # Of a form that ends the reply: it is in the words before, where there are any.
    lead: re.Pattern[str] | None = None


def read_json(text: str, mark: re.Match[str]) -> list[TextCall]:
    """Calls as JSON, one or a list, or as Python."""
    position = json_place(text, mark.end())
    if text.startswith(("{", "["), position) and (found := calls_at(text, position)):
        return found
    return calls_in_python(text, position)


def read_arguments(text: str, mark: re.Match[str]) -> list[TextCall]:
    """The arguments of a call whose name the form gives, as JSON."""
    value, end = value_at(text, json_place(text, mark.end()))
    return [TextCall(mark["name"], value if isinstance(value, dict) else None, end)]


def read_name_or_json(text: str, mark: re.Match[str]) -> list[TextCall]:
    return read_arguments(text, mark) if mark["name"] else read_json(text, mark)


def read_parameters(text: str, mark: re.Match[str]) -> list[TextCall]:
    """The arguments of a call as elements of XML, or as JSON."""
    if text.startswith("{", after_blanks(text, mark.end())):
        return read_arguments(text, mark)
    return [read_values(text, mark, PARAMETER, (PARAMETER_END, CALL_END))]


def read_children(text: str, mark: re.Match[str]) -> list[TextCall]:
    """The arguments of a call as an element of XML, or as JSON."""
    if text.startswith("{", after_blanks(text, mark.end())):
        return read_arguments(text, mark)
    return [read_values(text, mark, CHILD, (CHILD_END,))]


def read_block(text: str, mark: re.Match[str]) -> list[TextCall]:
    """The code of a call as an indented block of YAML."""
    block = YAML_BLOCK.match(text, mark.end())
    end = block.end() if block else mark.end()
    code = textwrap.dedent(text[mark.end() : end]).strip("\n")
    arguments = {"code": code} if is_python(code) else None
    return [TextCall(mark["name"], arguments, end, end < len(text))]


def read_pairs(text: str, mark: re.Match[str]) -> list[TextCall]:
    """The arguments of a call as pairs of a key and a value."""
    return [read_values(text, mark, PAIR, (PAIR_END,))]


def read_values(
    text: str, mark: re.Match[str], key: re.Pattern[str], ends: Sequence[re.Pattern[str]]
) -> TextCall:
    """A call whose arguments are texts, each behind a `key` and up to one of the `ends`."""
    arguments: dict[str, str] = {}
    position, is_closed = mark.end(), True
    for _ in range(MOST_ARGUMENTS):
        opening = key.match(text, after_blanks(text, position))
        if opening is None:
            break
        closings = (closing_of(text, opening.end(), end, key) for end in ends)
        close = next(filter(None, closings), None)
        position, is_closed = close.end() if close else len(text), close is not None
        value = text[opening.end() : close.start() if close else len(text)]
        arguments[opening[opening.lastgroup or "key"]] = value.removeprefix("\n").removesuffix("\n")
    return TextCall(mark["name"], arguments or None, position, is_closed)


def closing_of(
    text: str, start: int, close: re.Pattern[str], key: re.Pattern[str]
) -> re.Match[str] | None:
    """The mark that closes a value: the last one of its call before which the value is Python.

    For code may hold such marks. None of the call's marks stands behind another `key`, or a call.
    """
    following = NEXT_CALL.search(text, start)
    limit = following.start() if following else len(text)
    closings: list[re.Match[str]] = []
    for closing in close.finditer(text, start, limit):
        closings.append(closing)
        if key.match(text, after_blanks(text, closing.end())):
            return closing
    if not closings:
        return close.search(text, limit)
    for closing in reversed(closings[-MOST_CLOSINGS:] if len(closings) > 1 else []):
        if parsed(text[start : closing.start()]):
            return closing
    return closings[-1]


def read_quoted(text: str, mark: re.Match[str]) -> list[TextCall]:
    """The arguments of a call between signs that stand for quotes; one alone may lack them."""
    arguments: dict[str, str] = {}
    position = mark.end()
    if bare := UNQUOTED.match(text, position):
        end = text.rfind("}", bare.end())
        limit = len(text) if end < 0 else end
        code = text[bare.end() : limit]
        is_closed = end >= 0 and code.count("{") == code.count("}")
        return [TextCall(mark["name"], {"code": code}, limit + 1, is_closed)]
    is_closed = True
    while (key := QUOTED.match(text, position)) and len(arguments) < MOST_ARGUMENTS:
        end = text.find(key["quote"], key.end())
        is_closed = end >= 0
        end = end if is_closed else len(text)
        arguments[key["key"]] = text[key.end() : end]
        position = end + len(key["quote"])
    return [TextCall(mark["name"], arguments or None, min(position, len(text)), is_closed)]


BAR, LOW = "[|｜]", "[▁_]"  # of DeepSeek's tokens, and what servers write in their place
CALL_BEGINS = rf"<{BAR}tool{LOW}call{LOW}begin{BAR}>"
CALL_SEPARATOR = rf"<{BAR}tool{LOW}sep{BAR}>"
PREFIX = r"(?:[\w｜|]{1,16}[:｜|])?"
FUNCTOOLS = "functools"
PARAMETER = re.compile(
    rf"<{PREFIX}param(?:eter)?(?: name)?=[\"']?(?P<key>\w{{1,60}})[\"']?[^<>\n]{{0,80}}>"
)
PARAMETER_END = re.compile(rf"</{PREFIX}param(?:eter)?>")
CALL_END = re.compile(rf"</{PREFIX}(?:function|invoke|tool_call)>")
NEXT_CALL = re.compile(rf"<{PREFIX}(?:tool_call>|function=|function name=|invoke name=)")
CHILD = re.compile(r"<(?P<key>code)>")
CHILD_END = re.compile(r"</code>")
PAIR = re.compile(
    r"\s*+(?:<arg_key>\s*+(?P<key>\w{1,60})\s*+</arg_key>\s*+<arg_value>"
    r"|<\|tool_arg:start\|>\s*+(?P<solar>\w{1,60})\s*+<\|tool_arg:value\|>)"
)
PAIR_END = re.compile(r"</arg_value>|<\|tool_arg:end\|>")
YAML_BLOCK = re.compile(
    r"\n*+(?P<indent>[ \t]++)[^\n]++(?:\n(?:(?P=indent)[^\n]*+|[ \t]*+(?=\n|\Z)))*+"
)
JSON_FENCE = re.compile(r"`{3,}+(?:json)?[ \t]*+\n\s*+", re.IGNORECASE)
UNQUOTED = re.compile(r"\s*+code:\s*+(?!<\|\"\|>|<escape>)(?=\S)")
QUOTED = re.compile(r"[\s,]*+(?P<key>\w{1,60}):\s*+(?P<quote><\|\"\|>|<escape>)")


def element(prefix: str, name: str) -> str:
    """The pattern of the opening tag with which a call as elements of XML begins."""
    return rf"<{prefix}{name}[\"']?{NAME}[\"']?\s*>"


FORMS = (
    CallForm(
        "gpt-oss",
        r"(?:(?:(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>[^<]{0,2000})?<\|end\|>\s*)?"
        r"(?:(?:<\|start\|>)?assistant(?:(?:<\|channel\|>)?(?:analysis|commentary))?"
        r"|(?:<\|channel\|>)?(?:analysis|commentary)|\A|(?<=[\n.:!?]))\s?to="
        rf"(?:functions\.)?(?P<name>{TOOL_NAME}|[A-Za-z_][\w.-]{{0,63}})"
        r"(?:[^{\n]{0,120}?(?:<\|message\|>|\s{0,9}(?=\{))|\s{1,3}code(?=[\w\n])|(?<=python)(?=\w))",
        read_arguments,
        "openai",
        "gpt-oss",
    ),
    CallForm(
        "DeepSeek V3",
        rf"{CALL_BEGINS}function{CALL_SEPARATOR}{NAME}\s*(?:```json)?",
        read_arguments,
        "deepseek_v3",
        "deepseekv3",
    ),
    CallForm(
        "DeepSeek",
        rf"(?:<｜tool▁call▁begin｜>|{CALL_BEGINS}(?=[^<\n]{{1,80}}{CALL_SEPARATOR}(?!<)))"
        rf"{NAME}(?:{CALL_SEPARATOR})?\s*(?:```json)?",
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
    CallForm(
        "Solar",
        rf"(?:<\|tool_calls\|>\s*)?<\|tool_call:begin\|>[^<\n]{{0,64}}<\|tool_call:name\|>\s*{NAME}\s*"
        r"<\|tool_call:args\|>",
        read_arguments,
    ),
    CallForm(
        "Solar Open 2",
        rf"<\|tool_call:start\|>\s*{NAME}\s*(?=<\|tool_arg:start\|>)",
        read_pairs,
        "solar_open2",
    ),
    CallForm(
        "DeepSeek V3.2",
        element(f"{BAR}DSML{BAR}", "invoke name="),
        read_parameters,
        "deepseek_v32",
        "deepseekv32",
    ),
    CallForm("Step", element("steptml:", "invoke name="), read_parameters, "step3", "step3"),
    CallForm(
        "MiniMax", element(PREFIX, "invoke name="), read_parameters, "minimax_m2", "minimax-m2"
    ),
    CallForm(
        "Seed",
        r"<seed:tool_call>\s*" + element("", "function="),
        read_parameters,
        "seed_oss",
    ),
    CallForm(
        "Qwen3-Coder",
        element(PREFIX, "(?:function=|function name=)"),
        read_parameters,
        "qwen3_coder",
        "qwen3_coder",
    ),
    CallForm("Gemma 4", rf"<\|tool_call>\s*call:{NAME}\s*\{{", read_quoted, "gemma4", "gemma4"),
    CallForm(
        "FunctionGemma",
        rf"<start_function_call>\s*call:{NAME}\s*\{{",
        read_quoted,
        "functiongemma",
    ),
    CallForm(
        "Mistral",
        rf"\[TOOL_CALLS\]\s*(?:{NAME}\s*(?:\[CALL_ID\]\w{{1,40}}\s*)?(?:\[ARGS\]|(?=\{{)))?",
        read_name_or_json,
        "mistral",
        "mistral",
    ),
    CallForm("Llama", r"<\|python_tag\|>", read_json, "llama3_json", "llama3"),
    CallForm("Llama 4", r"<\|python_start\|>", read_json, "llama4_pythonic", "pythonic"),
    CallForm(
        "elements",
        r"<(?:tool_use|use_\w{1,20}|tool_call|function_call|invoke)>\s*+"
        r"(?:<server_name>[^<>\n]{0,64}</server_name>\s*+)?"
        rf"<(?:tool_)?name>\s*+{NAME}\s*+</(?:tool_)?name>\s*+"
        r"(?:<(?:arguments|parameters|params|args|input)>\s*+)?",
        read_children,
    ),
    CallForm("Hermes", r"<tool_call>|<tools>", read_json, "hermes", "qwen25"),
    CallForm("Jamba", r"<tool_calls>", read_json, "jamba"),
    CallForm("Granite", r"<\|tool_calls?\|>", read_json, "granite"),
    CallForm("Phi 4 mini", FUNCTOOLS + r"(?=\[)", read_json, "phi4_mini_json"),
    CallForm("MiniCPM", r"<\|tool_call_start\|>(?=\s*+```)", read_json),
    CallForm("LFM2", r"<\|tool_call_start\|>", read_json, "lfm2", "lfm2"),
    CallForm("Olmo", r"<function_calls>", read_json, "olmo3"),
    CallForm(
        "Qwen 2",
        rf"✿FUNCTION✿:?\s*{NAME}\s*\n\s*✿ARGS✿:?[ \t]*\n?",
        read_arguments,
    ),
    CallForm("CodeAct", r"<execute(?:_ipython)?>", read_json, lead=re.compile("")),
    CallForm(
        "smolagents",
        r"<code>[ \t]*\n|Code:[ \t]*\n(?=```)",
        read_json,
        lead=re.compile(r"^\W{0,3}Thoughts?\b", re.MULTILINE),
    ),
    CallForm("LongCat", r"<longcat_tool_call>", read_json, "longcat"),
    CallForm("Apertus", r"<\|tools_prefix\|>", read_json, "apertus", "apertus2509"),
    CallForm("Cohere", r"<\|START_ACTION\|>", read_json, "cohere_command3"),
    CallForm(
        "InternLM",
        r"<\|action_start\|>\s*<\|(?:plugin|interpreter)\|>",
        read_json,
        "internlm",
        "interns1",
    ),
    CallForm(
        "JSON in a mark",
        rf"<{TOOL_NAME}>\s*+(?:<code>)?|<tool_call name=\"{TOOL_NAME}\">"
        r"|<toolcalls?>|<tool_code>|<tool_use>|<function_?call>|<\|tool_call_begin\|>|<\|function_call\|>"
        rf"|\[TOOL_REQUEST\]|\[(?:{TOOL_NAME}|tool_call|tool_code)\](?!\()|function call(?=\{{)",
        read_json,
    ),
    CallForm(
        "Kimi",
        rf"(?:functions\.(?=\w{{1,64}}:\d)|(?={TOOL_NAME}:\d)){NAME}:\d+\s*",
        read_arguments,
        "kimi_k2",
        "kimi_k2",
    ),
    CallForm("Functionary", rf">>>(?P<name>{TOOL_NAME}|python)[ \t]*\n", read_arguments),
    CallForm(
        "YAML",
        rf"(?:- )?(?:name|tool|function|action): ?[\"']?(?P<name>{TOOL_NAME})[\"']?[ \t]*\n\s*+"
        r"(?:(?:arguments|args|parameters|input|action_input):[ \t]*\n\s*+)?code: ?\|[+-]?[ \t]*\n",
        read_block,
    ),
    CallForm(
        "ReAct",
        rf"(?:\*\*)?(?:action|tool):?(?:\*\*)?:? ?`?(?P<name>{TOOL_NAME})`?[ \t]*\n\s*+"
        r"(?:\*\*)?(?:(?:action|tool)[ _])?(?:input|args|arguments):?(?:\*\*)?:?[ \t]*+\n?",
        read_arguments,
    ),
    CallForm("ChatGLM3", rf"(?P<name>{TOOL_NAME})\s*+(?=```(?:python)?\s*+tool_call\()", read_json),
    CallForm(
        "DeepSeek V3",
        rf"(?:function ?)?(?P<name>{TOOL_NAME})\s*+"
        r"(?:```(?:json)?\s*+(?=\{)|(?=```(?:python|py)?[ \t]*+\n))",
        read_arguments,
        "deepseek_v3",
        "deepseekv3",
    ),
    CallForm("GLM", rf"(?P<name>{TOOL_NAME})\s*(?=<arg_key>)", read_pairs, "glm45", "glm45"),
    CallForm(
        "Gemma 4", rf"call:(?P<name>{TOOL_NAME})\s*\{{(?!\s*\")", read_quoted, "gemma4", "gemma4"
    ),
    CallForm(  # with plain code, or GLM 4.5's key before it
        "GLM",
        rf"\A\s*(?P<name>{TOOL_NAME})[ \t]*\n(?=[^\s{{`])",
        read_arguments,
        "glm45",
        "glm45",
    ),
    CallForm(  # Mistral's has its number behind the name
        "GLM 4",
        rf"(?:functions\.|call:)?(?P<name>{TOOL_NAME})(?:\w{{9}})?\s*+"
        r"(?:(?:\[ARGS\]|:|arguments:)\s*+)?(?=\{)",
        read_arguments,
        "glm45",
        "glm45",
    ),
)
PATTERNS = [re.compile(form.pattern, re.IGNORECASE) for form in FORMS]
MARK = re.compile(
    "|".join(f"({form.pattern.replace('?P<name>', '?:')})" for form in FORMS), re.IGNORECASE
)
# Without a mark.
# What stands before the name of a call in Python.
IN_PYTHON = r"(?:\w{1,40} ?= ?)?(?:print\()?(?:str\()?(?:functions\.|default_api\.)?"
PLAIN = CallForm("JSON", "", read_json, "llama3_json", "llama3")
PLAIN_PYTHON = CallForm("Python", "", read_json, "pythonic", "pythonic")
BEGINNING = re.compile(  # of JSON, or of a call in Python: a line's, or right behind a sentence
    r"(?:^[ \t]*+|(?<=[.!?:;…。！？：])(?<!functions\.)(?<!default_api\.)[ \t]?+)"
    rf"(?=[{{\[]|{IN_PYTHON}{TOOL_NAME}(?:\.call)?\()",
    re.MULTILINE,
)
FOLLOWING = re.compile(r"[\s;,]*+(?=[{\[])")
CURLY_KEY = re.compile(r"[\[\s]*+\{\s*+“")
DAMAGE = re.compile(r'"(?:[^"\\]++|\\.?)*+"?|,(?=\s*+[}\]])', re.DOTALL)  # strings, last commas
ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})?')
BACKSLASH = "\ufdd0"  # in its place while JSON is read, as long and in no text
BLANKS = re.compile(r"\s*+")
QUOTES = {  # that open, each with those that close
    '"': '"', "'": "'", "“": "”", "„": "“”", "‘": "’", "‚": "‘’", "«": "»", "»": "«", "‹": "›",
    "「": "」", "『": "』", "(": ")",
}  # fmt: skip
# What leads to a call that an answer quotes: "For reference, the call that I used was:".
PAST = r"(?:used|ran|made|sent|wrote|called|executed)"
QUOTING = re.compile(
    r"(?:\bfor (?:your |the )?(?:reference|records?),? (?:here|this|the|I)\b[^.!?\n]{0,80}"
    rf"|(?:calls?|code|commands?) (?:(?:that |which )?I(?:['’]ve| have)? )?{PAST}"
    r"|\b(?:call|code|command)\b[^.!?\n]{0,60} (?:was|were)"
    rf"|\bI {PAST} (?:this|the|it)(?: [a-z]{{1,20}}){{0,2}}"
    r"|\bexample(?: [a-z_]{1,20}){0,4}|\byou can (?:check|verify|repeat|reproduce)\b[^.!?\n]{0,60}"
    r"|供参考[^。！？\n]{0,60})"
    r"(?: (?:for|to|with|in|earlier|above|before)\b[^.,!?\n]{0,40})?[*_ ]{0,4}[:：][*_ ]{0,4}\s*\Z",
    re.IGNORECASE,
)
# A list of calls that holds none, at the end of a reply.
EMPTY_CALL = re.compile(
    r"(?:\[TOOL_CALLS\]\s*+(?:\[\s*+\])?+|<(?P<tag>tool_?calls?)>\s*+(?:\[\s*+\]|\{\s*+\})?+\s*+</(?P=tag)>"
    r"|<\|tool_calls_section_begin\|>\s*+<\|tool_calls_section_end\|>"
    r"|<｜tool▁calls▁begin｜>\s*+<｜tool▁calls▁end｜>)\Z",
    re.IGNORECASE,
)
# What follows a mark where a call was meant: its arguments, or the tool's name before them.
STRUCTURE = re.compile(
    rf"\s*+(?:\[?\s*+\{{\s*+[\"']|<{PREFIX}param|<arg_key"
    rf"|[^<>`\n]{{0,60}}?\s*+[\"']?{TOOL_NAME}[\"']?\s*[,(\[{{:<])"
)
PLACEHOLDER = re.compile(r"[:=(\[{,>]\s*[\"']?(?:\.\.\.|…)")  # an example's arguments
GLUED = re.compile(r"[\w.!?:;>)*。！？：]\Z")  # after it a mark is no word of a sentence
SENTENCE_END = re.compile(r"[.!?:;…。！？：][ \t]{1,9}\Z")
WORD_END = re.compile(r"\w[ \t]{1,9}\Z")
NAME_LINE = re.compile(rf"\s*+(?:{TOOL_NAME}|python|code)[ \t]*+(?:\n|:\s)")
MAGIC = re.compile(r"^([ \t]*+)[%!][^\n]*+", re.MULTILINE)  # of IPython
HTML_QUOTE = re.compile(r"<(/?)(pre|code|samp|kbd|blockquote)\b[^<>]{0,200}+>", re.IGNORECASE)
TABLE_RULE = re.compile(
    r"^[ \t]*+\|?(?:[ \t]*+:?-++:?[ \t]*+\|)++(?:[ \t]*+:?-++:?)?[ \t]*+$", re.MULTILINE
)
LINE_END = re.compile(r"[ \t]*+(?:\n|\Z)")

Span = tuple[int, int]  # of characters, the second behind its end


def find_calls(text: str) -> FoundCalls | None:
    """The calls in the head of `text`; None where there is none."""
    text = text[:SEARCHED_CHARS]
    return find_marked(text) or find_plain(text)


def find_marked(text: str) -> FoundCalls | None:
    """The calls behind marks that only calls have."""
    head = text[:SEARCHED_CHARS]
    quotes, trial = Quotes(head), CodeTrial(head)
    found: FoundCalls | None = None
    position, needs_end = 0, False
    for _ in range(MOST_CALLS):
        mark = MARK.search(head, position)
        if mark is None:
            break
        form = FORMS[(mark.lastindex or 1) - 1]
        calls = read_mark(head, mark, trial)
        end = max([mark.end(), *(call.end for call in calls or ())])
        position = end
        if calls is None or quotes.hold(mark.start(), end):
            continue
        is_next = found is not None and not head[found.end : mark.start()].strip()
        lead = head[max(0, mark.start() - MOST_HEAD_CHARS) : mark.start()]
        if is_stripped(mark) and not is_next and not begins_sentence(head, mark.start()):
            continue
        if form.name == "gpt-oss" and WORD_END.search(lead):
            continue  # for a message of its own begins behind another one
        is_read = any(call.arguments is not None for call in calls)
        if form.lead and not (is_read and is_led(head, form, mark.start(), end)):
            continue
        if is_read and is_in_sentence(head, mark.start(), end):
            if found and not found.is_read and not head[found.end : mark.start()].strip():
                found = None  # it was the mark around this one
            continue
        if found is None or (is_read and not found.is_read):
            found = FoundCalls(form.name, tuple(calls), mark.start(), end)
            needs_end = is_stripped(mark)
        elif is_read:
            found = FoundCalls(found.form, (*found.calls, *calls), found.start, end)
    if found is None or is_told(text, found):
        return None
    if needs_end and found.is_read and all(words_around(text, found)):
        return None
    return found


def is_led(text: str, form: CallForm, start: int, end: int) -> bool:
    """True if the words before a call, if any, are those of its form, and none are behind it."""
    before, after = words_around(text, FoundCalls(form.name, (), start, end))
    return not after and (not before or bool(form.lead and form.lead.search(before)))


def is_told(text: str, found: FoundCalls) -> bool:
    """True if the words before the calls say that they are those of an earlier reply."""
    before = words_around(text, found)[0]
    return QUOTING.search(before[-MOST_HEAD_CHARS:]) is not None


def read_mark(text: str, mark: re.Match[str], trial: CodeTrial) -> list[TextCall] | None:
    """The calls behind a mark, [] for one that cannot be read; None where the mark is text."""
    number = (mark.lastindex or 1) - 1
    exact = PATTERNS[number].match(text, mark.start())
    if exact is None:
        return None
    calls = FORMS[number].read(text, exact)
    if any(call.arguments is not None for call in calls):
        return calls
    if read := trial.read(exact):
        return read
    return calls if is_attempt(text, exact) else None


def is_attempt(text: str, mark: re.Match[str]) -> bool:
    """True if a call was meant at a mark behind which none can be read."""
    behind = text[mark.end() : mark.end() + LONGEST_PARSED_CHARS]
    if PLACEHOLDER.search(behind[:MOST_HEAD_CHARS]):
        return False
    is_first = not text[: mark.start()].strip()
    if is_stripped(mark):
        is_react = mark[0].lower().lstrip("*").startswith("action")
        is_given = behind.lstrip().startswith("{") or is_react
        return is_given or (is_first and not behind.strip())
    if behind.lstrip().startswith(("{", "[")) and is_at_edge(text, mark.start()):
        return True
    if STRUCTURE.match(behind):
        return is_at_edge(text, mark.start()) or not words_behind(behind)
    if LINE_END.match(behind):
        is_alone = is_at_edge(text, mark.start(), is_glued=False)
        return is_first or (is_alone and A_CLOSING.search(behind) is not None)
    return is_first and behind[0].isalnum() and not mark[0][-1].isspace()


def is_in_sentence(text: str, start: int, end: int) -> bool:
    """True if the text speaks of a call: in quotes, or with words before and behind it.

    A call of the model's own begins its line, is glued to the word before it, or ends the reply.
    """
    for _ in range(MOST_MARKS_BEFORE):
        before = text[:start].rstrip()
        mark = MARK_AT_END.search(before[-MOST_MARK_CHARS:])
        if mark is None:
            break
        start = len(before) - len(mark[0])
    marks = MARKS_AT_START.match(text[end:])
    blanks = marks[0][len(marks[0].rstrip()) :] if marks else ""
    behind = end + (marks.end() if marks else 0)
    following = MARK.search(text, end)
    before, after = text[:start].rstrip(), text[behind : behind + 1]
    if not before or not after or (following and following.start() <= behind):
        return False
    if after in QUOTES.get(text[start - 1], ()) and (before[:-1] + text[behind + 1 :]).strip():
        return True
    if not is_at_edge(text, start) and "\n" not in blanks:
        return True
    return (
        (before[-1].isalnum() or before[-1] == ",")
        and text[start - 1].isspace()
        and after.islower()
    )


def is_stripped(mark: re.Match[str]) -> bool:
    """True for a mark without special tokens, whose call must begin or end the reply."""
    return not any(sign in mark[0] for sign in "<[✿") and mark[0].lower() != FUNCTOOLS


def begins_sentence(text: str, position: int) -> bool:
    """True where a call can begin that has no special tokens: it is no word of a sentence."""
    lead = text[max(0, position - MOST_HEAD_CHARS) : position]
    return is_at_edge(text, position) or SENTENCE_END.search(lead) is not None


def words_behind(text: str) -> str:
    """Words behind the last closing mark in `text`; "" if there is none."""
    ends = [mark.end() for mark in A_CLOSING.finditer(text)]
    return text[ends[-1] :].strip() if ends else ""


def is_at_edge(text: str, position: int, is_glued: bool = True) -> bool:
    """True at the beginning of a line, behind another mark, or `is_glued` to a word before it."""
    lead = text[max(0, position - MOST_HEAD_CHARS) : position]
    before = lead.rstrip(" \t")
    if not before or before.endswith("\n") or MARK_AT_END.search(before[-MOST_MARK_CHARS:]):
        return True
    return is_glued and lead == before and GLUED.search(before) is not None


@dataclass
class CodeTrial:
    """Reads plain code where a call has its arguments: a few pieces of one text."""

    text: str
    left: int = MOST_PARSED

    def read(self, mark: re.Match[str]) -> list[TextCall]:
        """The code behind `mark`, fenced or not, up to the last mark before which it is Python.

        Where that code is calls of our tool, these.
        """
        start = mark.end()
        if name_line := NAME_LINE.match(self.text, start):
            start = name_line.end()
        name = mark.groupdict().get("name") or TOOL_NAME
        value, end = value_at(self.text, after_blanks(self.text, start))
        if isinstance(value, dict) and isinstance(value.get("code"), str):
            return [TextCall(name, value, end)]
        following = NEXT_CALL.search(self.text, start)
        limit = following.start() if following else len(self.text)
        piece = self.text[start : min(limit, start + LONGEST_PARSED_CHARS)]
        piece = CODE_END.split(piece, maxsplit=1)[0]
        closings = A_CLOSING.finditer(piece)
        if fence := FENCE_BEFORE.match(piece):
            start, piece = start + fence.end(), piece[fence.end() :]
            closings = FENCE_BEHIND.finditer(piece)
        ends = [closing.span() for closing in closings]
        for end, behind in [(len(piece), len(piece)), *reversed(ends)]:
            if self.left == 0:
                return []
            self.left -= 1
            if not is_python(piece[:end]):
                continue
            if not is_at_edge(self.text, mark.start()) and words_behind(piece[end:]):
                return []
            code = piece[:end].strip("\n").rstrip()
            end = start + (behind if fence else end)
            if calls := calls_in_python(code, 0):
                return [replace(call, end=end) for call in calls]
            is_closed = behind < len(piece) or end < len(self.text)
            return [TextCall(name, {"code": code}, end, is_closed)]
        return []


def is_python(text: str) -> bool:
    """True for Python, IPython's commands included, that does more than name or compare."""
    tree = parsed(text)
    if tree is None:
        return False
    statements = [one for one in tree.body if not isinstance(one, ast.Expr)]
    return bool(statements) or any(isinstance(node, ast.Call) for node in ast.walk(tree))


def parsed(text: str) -> ast.Module | None:
    """The tree of a cell of Python; None for other text, and for a very long one."""
    if len(text) > LONGEST_PARSED_CHARS:
        return None
    try:
        return ast.parse(textwrap.dedent(MAGIC.sub(r"\1pass", text)).strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class Quotes:
    """The places of a text where a mark is quoted: by Markdown or HTML, or in a fenced block."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks = find_blocks(text)
        self.elements = list(elements_in(text))

    def hold(self, start: int, end: int) -> bool:
        """True if a call or a lone mark is quoted.

        A fence that is all of the text quotes none, nor does one of calls behind a sentence.
        """
        text, before = self.text, self.text[:start]
        earlier, _, lead = before.rpartition("\n")
        if lead.lstrip().startswith((">", "|")) or in_backticks(text, start, end):
            return True
        if lead.startswith(("    ", "\t")) and earlier.strip() and earlier.endswith("\n"):
            return True
        if any(first <= start and end <= last for first, last in self.elements):
            return True
        for block in self.blocks:
            if block.start <= start < (block.end or len(text)):
                if text[block.end or len(text) :].strip():
                    return True
                is_of_calls = block.tag in JSON_TAGS and MARK.match(block.code.lstrip())
                return bool(text[: block.start].strip()) and not is_of_calls
        return is_in_table(text, start, end)


def elements_in(text: str) -> Iterator[Span]:
    """Elements of HTML that quote, from the first opening tag of a name to its closing one."""
    opened: dict[str, int] = {}
    for tag in HTML_QUOTE.finditer(text):
        name = tag[2].lower()
        if not tag[1]:
            opened.setdefault(name, tag.end())
        elif name in opened:
            yield opened.pop(name), tag.start()


def is_in_table(text: str, start: int, end: int) -> bool:
    """True in a row of a table of Markdown: its paragraph has a rule, and its line another cell."""
    begin = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    if "|" not in A_MARK_ANYWHERE.sub("", text[begin:start] + " " + text[end:line_end]):
        return False
    above = text[max(0, start - MOST_TABLE_CHARS) : begin].rpartition("\n\n")[2]
    below = text[line_end + 1 : line_end + 1 + MOST_HEAD_CHARS].partition("\n")[0]
    return TABLE_RULE.search(f"{above}\n{below}") is not None


def find_plain(text: str) -> FoundCalls | None:
    """Calls of our tool as bare JSON or Python that begin or end the text, in a fence or not.

    A call between sentences is one that the text speaks of.
    """
    for place in plain_places(text):
        calls = calls_at(text, place) or calls_in_python(text, place)
        calls = calls or list(arguments_at(text, place))
        if not calls or not (calls[0].name == TOOL_NAME or is_of_other_tool(text, place, calls)):
            continue
        form = PLAIN if text[place] in "{[" and "{" in text[place : place + 9] else PLAIN_PYTHON
        found = FoundCalls(form.name, tuple(calls), place, calls[-1].end)
        if not all(words_around(text, found)):
            return None if is_told(text, found) else found
    return find_code(text) or find_unread(text)


def is_of_other_tool(text: str, place: int, calls: Sequence[TextCall]) -> bool:
    """True for a reply that is nothing but a call of a tool that is not there, with Python."""
    value, arguments = value_at(text, place)[0], calls[0].arguments
    if not (
        isinstance(value, dict) and isinstance(arguments, dict) and value.keys() & ARGUMENT_KEYS
    ):
        return False
    is_all = not any(words_around(text, FoundCalls("", (), place, calls[-1].end)))
    return is_all and isinstance(arguments.get("code"), str) and is_python(arguments["code"])


def find_code(text: str) -> FoundCalls | None:
    """Plain code in a fence that is a call by its tag, and begins or ends the text."""
    for block in find_blocks(text):
        if block.tag == CODE_TAG and block.code.strip():
            end = block.end or len(text)
            arguments = {"code": block.code} if is_python(block.code) else None
            call = TextCall(TOOL_NAME, arguments, end, block.end is not None)
            found = FoundCalls(PLAIN_PYTHON.name, (call,), block.start, end)
            if not all(words_around(text, found)) and not is_told(text, found):
                return found
    return None


def find_unread(text: str) -> FoundCalls | None:
    """A call of our tool that begins or ends the text, and cannot be read."""
    for place in plain_places(text):
        behind = text[place : place + MOST_HEAD_CHARS]
        is_first = not without_fence(text[:place])
        value, end = value_at(text, place)
        is_half = value is None or end > len(text)
        if is_first and NAME_IN_QUOTES.search(behind) and is_half:
            return FoundCalls(PLAIN.name, (), place, len(text))
        is_alone = is_first or without_fence(text[place:]).endswith((")", "]"))
        if is_alone and LOOSE_CALL.match(text, place) and expression_at(text, place)[0] is None:
            found = FoundCalls(PLAIN_PYTHON.name, (), place, len(text))
            return None if is_told(text, found) else found
    return None


def plain_places(text: str) -> Iterator[int]:
    """Places where a call without a mark may begin."""
    blocks = find_blocks(text)
    foreign = [b for b in blocks if b.tag not in JSON_TAGS and b.tag not in PYTHON_TAGS]
    tried = 0
    for line in BEGINNING.finditer(text):
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
    if (whole := completed(text, position))[0] is not None:
        return whole
    if quoted := QUOTED_ARGUMENTS.match(text, position):
        arguments, end = value_at(text, quoted.end())
        if closing := QUOTED_END.match(text, end):
            return {"name": quoted["name"], "arguments": arguments}, closing.end()
    end = text.rfind("}", position, position + LONGEST_PARSED_CHARS) + 1
    is_literal = text.startswith(("{'", "[{'"), position) or '"""' in text[position:end]
    if is_literal and end:
        try:
            return ast.literal_eval(text[position:end].strip()), end
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            pass
    return None, position


def completed(text: str, position: int) -> tuple[Any, int]:
    """The JSON value at `position` that is damaged, or lacks its last brackets before a mark or the
    end.

    At the end of the text its end is one behind it: the rest may have been cut.
    """
    piece = text[position : position + LONGEST_PARSED_CHARS]
    if not piece.startswith(("{", "[")):
        return None, position
    if CURLY_KEY.match(piece):
        piece = piece.replace("“", '"').replace("”", '"')
    piece = DAMAGE.sub(mend, piece)
    with suppress(ValueError, RecursionError):
        value, end = MENDED.raw_decode(piece)
        return value, position + end
    ends = [mark.start() for mark in (*A_CLOSING.finditer(piece), *FENCE_BEHIND.finditer(piece))]
    for end in (len(piece), *sorted(ends)[-MOST_CLOSINGS:]):
        for missing in ("}}", "]", "}]", "}}]"):
            with suppress(ValueError, RecursionError):
                value, _ = MENDED.raw_decode(piece[:end].rstrip() + missing)
                return value, position + end + (end == len(piece))
    return None, position


def mend(damage: re.Match[str]) -> str:
    """A string of JSON without escapes that JSON does not know, or a blank for a last comma."""
    if damage[0] == ",":
        return " "
    return ESCAPE.sub(lambda sign: sign[0] if sign[1] else BACKSLASH, damage[0])


def with_backslashes(value: dict[str, Any]) -> dict[str, Any]:
    """An object whose strings have backslashes again; before a single quote, if that is Python."""
    for key, text in value.items():
        if isinstance(text, str) and BACKSLASH in text:
            kept = text.replace(BACKSLASH, "\\")
            bare = text.replace(f"{BACKSLASH}'", "'").replace(BACKSLASH, "\\")
            value[key] = bare if parsed(kept) is None and parsed(bare) else kept
    return value


MENDED = json.JSONDecoder(strict=False, object_hook=with_backslashes)


def calls_of(value: object, end: int) -> Iterator[TextCall]:
    """The calls in a JSON value: under the names that models and servers give their parts."""
    if isinstance(value, list):
        for one in value[:MOST_CALLS]:
            yield from calls_of(one, end) if isinstance(one, dict) else ()
        return
    if not isinstance(value, dict):
        return
    for key in HOLDER_KEYS:
        if isinstance(value.get(key), list | dict):
            yield from calls_of(value[key], end)
            return
    name = next((value[key] for key in NAME_KEYS if isinstance(value.get(key), str)), None)
    arguments = next((value[key] for key in ARGUMENT_KEYS if key in value), None)
    if name is None and len(value) == 1:
        name, arguments = next(iter(value.items()))
        name = name if name == TOOL_NAME else None
    elif not any(key in value for key in ARGUMENT_KEYS):
        arguments = {"code": value["code"]} if isinstance(value.get("code"), str) else None
        name = name if arguments else None
    if name is None:
        return
    name = name.removeprefix("functions.")
    if isinstance(arguments, str):
        held, _ = value_at(arguments, after_blanks(arguments, 0))
        is_code = held is None and name == TOOL_NAME and is_python(arguments)
        arguments = {"code": arguments} if is_code else held
    yield TextCall(name, arguments if isinstance(arguments, dict) else None, end)


def arguments_at(text: str, position: int) -> Iterator[TextCall]:
    """The call whose arguments alone are the JSON object at `position`: its code is Python.

    It begins the text, or its line behind a sentence, in a fence or not.
    """
    value, end = value_at(text, position)
    before = without_fence(text[:position])
    is_on_line = text[:position].rstrip(" \t").endswith("\n")
    if before and not (is_on_line and before.endswith((".", ":", "!", "。", "："))):
        return
    code = value["code"] if isinstance(value, dict) and value.keys() == {"code"} else None
    if isinstance(code, str) and is_python(code):
        yield TextCall(TOOL_NAME, value, end)


NAME_IN_QUOTES = re.compile(rf"[\"']{TOOL_NAME}[\"']")
HOLDER_KEYS = ("tool_calls", "tool_uses", "function", "tool_call", "function_call",
               "functionCall", "toolUse", "toolCall")  # fmt: skip
NAME_KEYS = ("name", "tool_name", "tool", "function", "function_name", "action", "recipient_name",
             "_name")  # fmt: skip
ARGUMENT_KEYS = ("arguments", "parameters", "args", "params", "kwargs", "input", "action_input",
                 "tool_input")  # fmt: skip


def calls_in_python(text: str, position: int) -> list[TextCall]:
    """Calls of our tool in Python, one behind the other, up to a mark or the end.

    As `[name(code="…")]`, `name.call(code="…")`, or as Gemma 3 writes them: in `print(…)`, or given
    a name that is printed afterwards.
    """
    calls: list[TextCall] = []
    while len(calls) < MOST_CALLS and PYTHON_CALL.match(text, position):
        tree, end = expression_at(text, position)
        if tree is None:
            return [] if calls else list(loose_call(text, position))
        found = [
            TextCall(TOOL_NAME, arguments_in_python(node), end)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and called(node.func) == TOOL_NAME
        ]
        if not found:
            break
        calls += found
        position = end
    if calls and (printed := PRINTED.match(text, position)):
        position = printed.end()
        calls[-1] = replace(calls[-1], end=position)
    is_list = text[:position].endswith("]")
    words = WORDS_BEHIND_LIST if is_list else WORDS_BEHIND_LINE
    return calls if PYTHON_END.match(text, position) or words.match(text, position) else []


def expression_at(text: str, position: int) -> tuple[ast.Module | None, int]:
    """The tree of the Python code with brackets at `position`, if it is any, and where it ends."""
    window = text[position : position + LONGEST_PARSED_CHARS]
    end = end_of_expression(window)
    try:
        return ast.parse(window[:end].strip()), position + end
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None, position + end


def loose_call(text: str, position: int) -> Iterator[TextCall]:
    """A call in Python whose code has raw line breaks, or quotes, within one pair of quotes."""
    opening = LOOSE_CALL.match(text, position)
    if opening is None:
        return
    closings = LOOSE_ENDS[opening["quote"]].finditer(
        text, opening.end(), opening.end() + LONGEST_PARSED_CHARS
    )
    ends = [closing for closing in closings if PYTHON_END.match(text, closing.end())]
    for closing in reversed(ends[-MOST_CLOSINGS:]):
        held, quote = text[opening.end() : closing.start()], opening["quote"]
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            held = ast.literal_eval(f"{quote}{held.replace(chr(10), chr(92) + 'n')}{quote}")
        if held.strip() and parsed(held):
            yield TextCall(TOOL_NAME, {"code": held}, closing.end())
            return


def end_of_expression(text: str) -> int:
    """Place behind the brackets, and others after a comma, with which Python code begins: marks
    within its strings do not end it. The end of the text where they are not closed."""
    lines = text.split("\n")
    depth, end = 0, len(text)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if depth == 0 and end < len(text) and token.string != ",":
                break
            if token.type == tokenize.OP and token.string in "()[]{}":
                depth += 1 if token.string in "([{" else -1
                if depth == 0:
                    row, column = token.end
                    end = sum(len(line) + 1 for line in lines[: row - 1]) + column
            elif depth == 0 and token.string == ",":
                end = len(text)
    except (tokenize.TokenError, SyntaxError):
        pass
    return end


def called(node: ast.expr) -> str:
    """The name that a call in Python has, without what may stand around it."""
    if isinstance(node, ast.Attribute) and node.attr == "call":
        node = node.value
    if isinstance(node, ast.Attribute):
        is_there = isinstance(node.value, ast.Name) and node.value.id in NAME_SPACES
        return node.attr if is_there else ""
    name = node.id if isinstance(node, ast.Name) else ""
    return TOOL_NAME if name == CHATGLM_NAME else name


def arguments_in_python(node: ast.Call) -> dict[str, Any] | None:
    """The arguments of a call, all of them constants; a lone one without a name is the code."""
    values = {word.arg or "": word.value for word in node.keywords}
    if len(node.args) == 1 and not values:
        values = {"code": node.args[0]}
        if isinstance(node.args[0], ast.Dict):
            keys = [key.value if isinstance(key, ast.Constant) else "" for key in node.args[0].keys]
            values = dict(zip(map(str, keys), node.args[0].values, strict=True))
    constants = {key: one.value for key, one in values.items() if isinstance(one, ast.Constant)}
    return constants if len(constants) == len(values) else None


NAME_SPACES = ("functions", "default_api")
CHATGLM_NAME = "tool_call"  # that every call has in its text
LOOSE_CALL = re.compile(
    rf"\s*+\[?\s*+{IN_PYTHON}{TOOL_NAME}(?:\.call)?\(\s*+(?:code ?= ?)?(?P<quote>[\"'])"
)
LOOSE_ENDS = {quote: re.compile(rf"{quote}[\s,]*+\)++[\s,]*+\]?") for quote in "\"'"}
WORDS_BEHIND_LIST = re.compile(r"\s*+(?=[^\W\d_a-z]|[*#])")  # no word of the same sentence
WORDS_BEHIND_LINE = re.compile(r"[ \t]*+\n\s*+(?=[^\W\d_a-z]|[*#])")
QUOTED_ARGUMENTS = re.compile(  # of Glaive's: JSON, with JSON in single quotes in it
    rf"\{{\s*+\"name\"\s*+:\s*+\"{NAME}\"\s*+,\s*+\"arguments\"\s*+:\s*+'(?=\{{)"
)
QUOTED_END = re.compile(r"\s*+'\s*+\}")
PYTHON_CALL = re.compile(rf"\s*+\[?\s*+{IN_PYTHON}[A-Za-z_]\w{{0,63}}(?:\.call)?\(")
PRINTED = re.compile(r"\s*+print\(\w{1,40}\)")
PYTHON_END = re.compile(r"\s*+(?:<\|?/?[a-z_]{3,30}\|?>|```|\Z)")
MOST_MARKS_BEFORE, MOST_MARK_CHARS = 4, 60  # of a call, and of one of them
A_MARK = r"(?:</?\|?/?[\w:|｜▁]{1,40}>(?:function(?=<))?|\[(?:/\w{3,30}|[A-Z_]{3,30})\])"
A_MARK_ANYWHERE = re.compile(A_MARK)
A_CLOSING = re.compile(r"</[\w:｜|]{1,40}>|<[\w:]{1,40}\|>|<[|｜][^<>\n]{1,40}[|｜]>|\[/\w{3,30}\]")
MARK_AT_END = re.compile(rf"{A_MARK}(?:function)?\Z")
MARKS_AT_START = re.compile(rf"\A\s*+(?:[}}`]{{1,3}}+\s*+(?=<|\Z))?(?:{A_MARK}\s*+)*+")
CODE_END = re.compile(r"\[END_TOOL_REQUEST\]|\n[ \t]*+Observation:|✿RE(?:SULT|TURN)✿", re.I)
IMAGINED = re.compile(
    r"Observation:|✿RE(?:SULT|TURN)✿", re.IGNORECASE
)  # a result that the model made up
FENCE_AT_START = re.compile(r"\A(?:`{3,}+|~{3,}+)\w{0,20}[ \t]*+(?:\n|\Z)")
FENCE_BEFORE = re.compile(r"\s*+(?:`{3,}+|~{3,}+)(?:python|py|tool_code)?[ \t]*+\n", re.IGNORECASE)
FENCE_BEHIND = re.compile(r"\n[ \t]*+(?:`{3,}+|~{3,}+)")
FENCE_AT_END = re.compile(r"(?:`{3,}+|~{3,}+)\w{0,20}\s*+\Z")


def without_empty_call(text: str) -> str:
    """`text` without a call of nothing behind its words."""
    text = text.rstrip()
    empty = EMPTY_CALL.search(text, max(0, len(text) - MOST_HEAD_CHARS))
    return (text[: empty.start()].rstrip() if empty else "") or text


def words_around(text: str, found: FoundCalls) -> tuple[str, str]:
    """The words before and after the calls, without the marks of the calls themselves."""
    before, after = text[: found.start].rstrip(), text[found.end :]
    for _ in range(MOST_MARKS_BEFORE):
        if mark := MARK_AT_END.search(before[-MOST_MARK_CHARS:]):
            before = before[: -len(mark[0])].rstrip()
    after = without_fence(MARKS_AT_START.sub("", after, count=1))
    return without_fence(before), "" if IMAGINED.match(after) else after


def after_blanks(text: str, position: int) -> int:
    blanks = BLANKS.match(text, position)
    return blanks.end() if blanks else position


def json_place(text: str, position: int) -> int:
    """Place behind the blanks, and the beginning of a fence, before JSON."""
    position = after_blanks(text, position)
    fence = JSON_FENCE.match(text, position)
    return fence.end() if fence else position


def advise(form: str) -> str:
    """Options by which servers read the calls of this form themselves."""
    row = next(row for row in (*FORMS, PLAIN_PYTHON, PLAIN) if row.name in (form, PLAIN.name))
    return call_advice(row.vllm, row.sglang)
