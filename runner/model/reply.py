"""Reading a model's reply: what it thinks, which code it wants run, or its final answer."""

from __future__ import annotations

import ast
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from runner.contract import (
    CALL_IN_REASONING,
    CALL_IN_TEXT,
    CALL_UNREAD,
    CODE_UNCALLED,
    ActionFormat,
    StepStatus,
    Usage,
)
from runner.model.calls_in_text import (
    TOOL_NAME,
    FoundCalls,
    find_calls,
    find_marked,
    is_python,
    parsed,
    value_at,
    without_empty_call,
    words_around,
)
from runner.model.code_blocks import (
    CODE_TAGS,
    END,
    PYTHON_TAGS,
    START,
    Block,
    find_blocks,
    is_code,
)
from runner.model.special_tokens import join, split_reasoning

USE_FENCE = "Put the code into one ```python block, with the closing ``` on a line of its own."
USE_MARKERS = f"Put the code between {START} and {END}."
USE_TOOL = f'Call the tool {TOOL_NAME} with JSON arguments {{"code": "..."}}.'
CODE_SIGN = re.compile(  # in a block that is no whole Python
    r"\w\(|[\w\])]\s?=|^[ \t]*+(?:[%!@#]|(?:import|from|def|class|for|while|if|with|try|return)\b)",
    re.MULTILINE,
)
MARKER = re.compile(  # that no quotes are around
    rf"(?<![`\"'“‘«]){re.escape(START)}|{re.escape(START)}(?![`\"'”’»])"
)
CODE_ELEMENT = re.compile(r"^[ \t]*+(<(?:code|execute|python)>)", re.MULTILINE)
# The tool with code, in a form that no server is known to leave.
ODD_CALL = re.compile(
    rf"[<{{\[][\s\S]{{0,200}}?\b{TOOL_NAME}\b\W{{1,40}}(?:\w{{1,20}}\W{{1,20}}){{0,4}}code\b"
)
# A call at the beginning of a text that a server wrote as HTML.
ESCAPED_CALL = re.compile(r"&lt;[|｜\w]|[\[\s]*+\{\s*+&quot;")
CUT = "reply cut by length"
FILTERED = "content_filter"  # why a reply ended, in OpenAI's words
# The same, of a reply that ends with a call; the last is Google's, for one that is no JSON.
CALLED = ("tool_calls", "function_call", "malformed_function_call")
CALL_LOST = "the endpoint says that the reply is a tool call, but none came"
REFUSED = "the model refused"
UNREAD = "the reply took too long to read, which is a fault of this site"
WITHHELD = "the endpoint's content filter withheld the reply"


@dataclass(frozen=True)
class ToolCall:
    """One tool call of a reply; its arguments are as the endpoint sent them."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class ModelReply:
    """One reply of a model, whole."""

    text: str = ""
    reasoning: str = ""  # sent beside the text, not in it
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    usage: Usage = field(default_factory=Usage)
    lost_s: float = 0.0  # in tries before this one, which the endpoint failed
    failed: str = ""  # of its request, as in ReplyProgress
    model: str = ""  # which one replied, as the endpoint says; "" when it does not
    refuses: bool = False  # the text is a refusal, which came in a field of its own

    @property
    def is_filtered(self) -> bool:
        """True if the endpoint's content filter removed the reply, or the rest of it."""
        return self.finish_reason == FILTERED

    @property
    def is_cut(self) -> bool:
        return self.finish_reason == "length"


@dataclass(frozen=True)
class Action:
    """Action that a reply asks for: code to run, or the final answer, or something unreadable."""

    status: StepStatus  # OK: there is code; ANSWER; MALFORMED
    thought: str = ""
    code: str | None = None
    answer: str | None = None
    complaint: str = ""  # for the model, when malformed
    spoken: str = ""  # the text without its reasoning: what the conversation keeps
    notes: tuple[str, ...] = ()
    run_call: str = ""  # id of the tool call that `code` came from
    call_answers: Mapping[str, str] = field(default_factory=dict)  # for the calls not run
    sent_back: Mapping[str, str] = field(default_factory=dict)  # arguments in place of bad ones

    @property
    def calls_tools(self) -> bool:
        return bool(self.run_call or self.call_answers)


def read(reply: ModelReply, action_format: ActionFormat) -> Action:
    """The action that `reply` asks for, in the format agreed on with the model."""
    reasoning, spoken = split_reasoning(reply.text)
    thought = join(reply.reasoning, reasoning)
    if reply.refuses and not reply.tool_calls:
        return Action(StepStatus.ANSWER, thought, answer=spoken, spoken=spoken, notes=(REFUSED,))
    if not spoken and not reply.tool_calls and reply.is_filtered:
        complaint = "Your reply was withheld by a content filter. Write it in other words."
        return malformed(reply, thought, spoken, complaint, (WITHHELD,))
    if not spoken and reply.tool_calls and action_format != ActionFormat.TOOLS:
        use = USE_FENCE if action_format == ActionFormat.FENCED else USE_MARKERS
        return malformed(reply, thought, spoken, f"No tools are offered here. {use}")
    if not spoken and not reply.tool_calls:
        if action_format == ActionFormat.TOOLS and (found := find_calls(thought)):
            return read_reasoned(reply, thought, found)
        if action_format == ActionFormat.TOOLS and reply.finish_reason.lower() in CALLED:
            return malformed(reply, thought, spoken, f"No tool call came. {USE_TOOL}", (CALL_LOST,))
        held = "reasoning alone, neither" if thought else "neither"
        return malformed(reply, thought, spoken, f"Your reply held {held} code nor an answer.")
    match action_format:
        case ActionFormat.FENCED:
            return read_fenced(reply, thought, spoken)
        case ActionFormat.MARKERS:
            return read_markers(reply, thought, spoken)
        case ActionFormat.TOOLS:
            return read_tools(reply, thought, spoken)


def malformed(
    reply: ModelReply, thought: str, spoken: str, complaint: str, notes: tuple[str, ...] = ()
) -> Action:
    cut = "It was cut at the length limit; write less in one reply." if reply.is_cut else ""
    return Action(
        status=StepStatus.MALFORMED,
        thought=join(thought, spoken),
        complaint=f"{complaint} {cut}".strip(),
        spoken=spoken,
        notes=with_cut(reply, notes),
    )


def answer(reply: ModelReply, thought: str, spoken: str, notes: tuple[str, ...] = ()) -> Action:
    """The final answer, unless the length limit or a content filter cut it."""
    if reply.is_filtered:
        complaint = "A content filter withheld the rest of your reply. Write it in other words."
        return malformed(reply, thought, spoken, complaint, (*notes, WITHHELD))
    if reply.is_cut:
        return malformed(reply, thought, spoken, "Your reply ended before any code.", notes)
    return Action(StepStatus.ANSWER, thought, answer=spoken, spoken=spoken, notes=notes)


def unread(reply: ModelReply, action_format: ActionFormat) -> Action:
    """Placeholder for a reply that could not be read in its time: the model can write another.

    Its text goes into the record, but not back into the conversation.
    """
    complaint = "Your reply could not be read in time. Write it more plainly."
    answers = {call.id: complaint for call in reply.tool_calls}
    is_called = action_format == ActionFormat.TOOLS and bool(answers)
    return Action(
        status=StepStatus.MALFORMED,
        complaint=complaint,
        spoken="(a reply that could not be read)",
        notes=(UNREAD,),
        call_answers=answers if is_called else {},
        sent_back=dict.fromkeys(answers, "{}"),
    )


def with_cut(reply: ModelReply, notes: tuple[str, ...]) -> tuple[str, ...]:
    return (*notes, CUT) if reply.is_cut else notes


def read_fenced(reply: ModelReply, thought: str, spoken: str) -> Action:
    """The first Python block; an untagged block of code counts when none is tagged Python."""
    blocks = find_blocks(spoken)
    python = [b for b in blocks if b.tag in PYTHON_TAGS]
    python = python or [b for b in blocks if not b.tag and not is_prose(b.code)]
    if not python:
        return read_without_block(reply, thought, spoken, blocks)
    block = python[0]
    if block.end is None:
        return malformed(reply, thought, spoken, f"The code block is never closed. {USE_FENCE}")
    if not block.code.strip():
        return malformed(reply, thought, spoken, f"The code block is empty. {USE_FENCE}")
    others = sum(1 for b in blocks if b is not block and is_code(b))
    around = join(spoken[: block.start], spoken[block.end :])
    return Action(
        status=StepStatus.OK,
        thought=join(thought, around),
        code=without_entities(block.code),
        spoken=spoken,
        notes=with_cut(reply, not_run(others, "code block")),
    )


def is_prose(text: str) -> bool:
    """True for text in a block without a tag that is an answer: words, or a mere value."""
    tree = parsed(text)
    if tree is None:
        return CODE_SIGN.search(text) is None
    is_value = all(isinstance(statement, ast.Expr) for statement in tree.body)
    has_name = any(isinstance(node, ast.Name | ast.Call) for node in ast.walk(tree))
    return bool(tree.body) and is_value and not has_name


def read_without_block(reply: ModelReply, thought: str, spoken: str, blocks: list[Block]) -> Action:
    foreign = [b.tag for b in blocks if b.tag in CODE_TAGS]
    if foreign:
        complaint = f"Only Python can be run here, not {foreign[0]}. {USE_FENCE}"
        return malformed(reply, thought, spoken, complaint)
    if MARKER.search(spoken):
        return malformed(reply, thought, spoken, f"Marker tokens are not read here. {USE_FENCE}")
    return without_code(reply, thought, spoken, USE_FENCE)


def without_code(reply: ModelReply, thought: str, spoken: str, use: str) -> Action:
    """The final answer, unless it is a call of a tool, though none was offered."""
    if find_marked(spoken):
        return malformed(reply, thought, spoken, f"No tools are offered here. {use}")
    return answer(reply, thought, spoken)


def not_run(count: int, what: str) -> tuple[str, ...]:
    if count == 0:
        return ()
    return (f"{count} more {what}{' was' if count == 1 else 's were'} not run",)


def read_markers(reply: ModelReply, thought: str, spoken: str) -> Action:
    """The code between the first pair of markers; a stop sequence may have taken the end."""
    start = MARKER.search(spoken)
    if start is None:
        if any(b.tag in PYTHON_TAGS for b in find_blocks(spoken)):
            return malformed(reply, thought, spoken, f"The code is not marked. {USE_MARKERS}")
        return without_code(reply, thought, spoken.removesuffix(END).strip(), USE_MARKERS)
    before = spoken[: start.start()]
    code, end, after = spoken[start.end() :].partition(END)
    if not end and reply.finish_reason != "stop":
        return malformed(reply, thought, spoken, f"The end marker is missing. {USE_MARKERS}")
    code = without_entities(inside_fence(code))
    if not code.strip():
        return malformed(reply, thought, spoken, f"There is no code. {USE_MARKERS}")
    return Action(
        status=StepStatus.OK,
        thought=join(thought, before, after),
        code=code,
        spoken=spoken if end else f"{spoken}\n{END}",
        notes=with_cut(reply, not_run(after.count(START), "code block")),
    )


def inside_fence(code: str) -> str:
    """`code` without the fence that some models put inside the markers."""
    blocks = find_blocks(code)
    if blocks and not code[: blocks[0].start].strip():
        return blocks[0].code
    return code.strip("\r\n")


def read_tools(reply: ModelReply, thought: str, spoken: str) -> Action:
    """The first tool call that can be run; every other call gets an answer of its own."""
    if not reply.tool_calls:
        spoken = without_empty_call(spoken)
        if in_text := find_calls(spoken):
            return read_found(reply, thought, spoken, in_text)
        if ESCAPED_CALL.match(spoken) and not set('<>"') & set(spoken):
            plain = html.unescape(spoken)
            if in_text := find_calls(plain):
                return read_found(reply, thought, plain, in_text)
        return answer(reply, thought, spoken, note_of_code(spoken))
    answers: dict[str, str] = {}
    sent_back: dict[str, str] = {}
    code, run_call, skipped = None, "", 0
    for call in reply.tool_calls:
        arguments, is_sendable = arguments_of(call)
        if arguments is NOTHING and call.name == TOOL_NAME and not reply.is_cut:
            arguments = arguments_as_python(call.arguments)
        if not is_sendable:
            sent_back[call.id] = json.dumps(arguments) if isinstance(arguments, dict) else "{}"
        found, complaint = read_call(call, arguments)
        if found is not None and code is None:
            code, run_call = found, call.id
        elif found is not None:
            skipped += 1
            answers[call.id] = "Not run: only the first call of a reply is. Call again."
        else:
            answers[call.id] = complaint
    notes = not_run(skipped, "tool call")
    if code is None:
        action = malformed(reply, thought, spoken, next(iter(answers.values())), notes)
        return replace(action, call_answers=answers, sent_back=sent_back)
    return Action(
        status=StepStatus.OK,
        thought=join(thought, spoken),
        code=code,
        spoken=spoken,
        notes=with_cut(reply, notes),
        run_call=run_call,
        call_answers=answers,
        sent_back=sent_back,
    )


def note_of_code(spoken: str) -> tuple[str, ...]:
    """Note on code that an answer shows and no call holds, with what is around it."""
    for block in find_blocks(spoken):
        is_call = TOOL_NAME in block.code or block.code.lstrip().startswith('{"code"')
        if is_call or block.tag in PYTHON_TAGS:
            return (f"{CODE_UNCALLED}: in a fence, without a call of the tool",)
    if element := CODE_ELEMENT.search(spoken):
        return (f"{CODE_UNCALLED}: in {element[1]}, without a call of the tool",)
    is_odd = ODD_CALL.match(spoken) is not None
    return (f"{CODE_UNCALLED}: in an unknown form, without a call of the tool",) if is_odd else ()


def read_found(reply: ModelReply, thought: str, spoken: str, found: FoundCalls) -> Action:
    """The first call in the text that can be run.

    The conversation keeps the text as it is, and gets the result as a message of the user: a server
    that does not read calls may not know the messages of tools either.
    """
    code, skipped, complaint = None, 0, f"The tool call in your reply cannot be read. {USE_TOOL}"
    for one in found.calls:
        call = ToolCall("", one.name, "")
        is_half = reply.is_cut and not (one.is_closed and one.end <= len(spoken))
        arguments = NOTHING if one.arguments is None or is_half else one.arguments
        wanted, wrong = read_call(call, arguments)
        if wanted is not None and code is None:
            code = wanted
        elif wanted is not None:
            skipped += 1
        elif one is found.calls[0]:
            complaint = wrong
    skipped_notes = not_run(skipped, "tool call")
    if code is None:
        notes = (f"{CALL_UNREAD} ({found.form})", *skipped_notes)
        return malformed(reply, thought, spoken, complaint, notes)
    return Action(
        status=StepStatus.OK,
        thought=join(thought, *words_around(spoken, found)),
        code=code,
        spoken=spoken,
        notes=with_cut(reply, (f"{CALL_IN_TEXT} ({found.form})", *skipped_notes)),
    )


def read_reasoned(reply: ModelReply, thought: str, found: FoundCalls) -> Action:
    """The call in a reasoning of which nothing else is left: run where it is one and ends it.

    The conversation keeps the call alone, or the model would not know what was run.
    """
    if len(found.calls) == 1 and not words_around(thought, found)[1] and not reply.is_cut:
        action = read_found(reply, "", thought, found)
        if action.code is not None:
            note = f"{CALL_IN_REASONING} ({found.form})"
            return replace(action, spoken=thought[found.start : found.end], notes=(note,))
    complaint = f"The tool call in your reply is part of its reasoning. End that first. {USE_TOOL}"
    return malformed(
        reply, thought, "", complaint, (f"{CALL_IN_REASONING}, not run ({found.form})",)
    )


NOTHING = object()  # where arguments are no JSON
MOST_VALUES = 4  # in a call's arguments
DECODER = json.JSONDecoder(strict=False)
BLANKS = re.compile(r"\s*+")
TOKENS = re.compile(r"(?:</?[|｜]?[\w:▁]{1,40}[|｜]?>\s*+)++")  # behind the arguments


def arguments_of(call: ToolCall) -> tuple[object, bool]:
    """The JSON value in a call's arguments, and whether endpoints take it back as it is.

    They parse what they are sent back, and want an object. Raw line breaks are forgiven here, and
    what servers add: an empty object before it, the same once more, a special token behind it, or
    quotes around it all.
    """
    try:
        arguments = json.loads(call.arguments)
        if isinstance(arguments, dict):
            return arguments, True
        arguments = json.loads(arguments, strict=False) if isinstance(arguments, str) else arguments
        return arguments, False
    except (ValueError, RecursionError):
        pass
    try:
        values = values_in(call.arguments)
        said = [value for value in values if value != {}] or values
        if any(value != said[0] for value in said):
            return NOTHING, False
        value = said[0]
        return json.loads(value, strict=False) if isinstance(value, str) else value, False
    except (ValueError, RecursionError, IndexError):
        return NOTHING, False


def arguments_as_python(text: str) -> object:
    """Arguments that came as an object in Python's quotes, or as plain code."""
    value, end = value_at(text, len(text) - len(text.lstrip()))
    if isinstance(value, dict) and not text[end:].strip():
        return value
    code = without_fence(text)
    is_code = not code.lstrip().startswith(("{", "[", '"')) and is_python(code)
    return {"code": code} if is_code else NOTHING


def values_in(text: str) -> list[object]:
    """The JSON values in `text`, one behind the other. Raises ValueError where there is more."""
    values: list[object] = []
    position = BLANKS.match(text).end()  # type: ignore[union-attr]
    while position < len(text) and not TOKENS.fullmatch(text, position):
        if len(values) == MOST_VALUES:
            raise ValueError
        value, end = DECODER.raw_decode(text, position)
        values.append(value)
        position = BLANKS.match(text, end).end()  # type: ignore[union-attr]
    return values


def read_call(call: ToolCall, arguments: object) -> tuple[str | None, str]:
    """The code of one tool call, or what is wrong with it."""
    if call.name != TOOL_NAME:
        return None, f"There is no tool called “{call.name[:60]}”. {USE_TOOL}"
    if arguments is NOTHING:
        return None, f"The arguments are not valid JSON. {USE_TOOL}"
    code = arguments.get("code") if isinstance(arguments, dict) else None
    if code and not isinstance(code, str):
        return None, f"The argument `code` is not a string. {USE_TOOL}"
    if not code or not code.strip():
        return None, f"The argument `code` is missing or empty. {USE_TOOL}"
    return without_entities(without_fence(code)), ""


def without_entities(code: str) -> str:
    """`code` without HTML's entities where these alone keep it from being Python."""
    if "&" in code and parsed(code) is None:
        plain = html.unescape(code)
        return code if parsed(plain) is None else plain
    return code


CDATA, CDATA_END = "<![CDATA[", "]]>"  # of XML


def without_fence(code: str) -> str:
    """`code` without a fence, or XML's mark of text, around all of it."""
    if code.strip().startswith(CDATA):
        code = code.strip().removeprefix(CDATA).removesuffix(CDATA_END)
    blocks = find_blocks(code) if code.lstrip().startswith(("```", "~~~")) else []
    is_alone = len(blocks) == 1 and not code[blocks[0].end :].strip()
    return blocks[0].code if is_alone and blocks[0].tag in ("", *PYTHON_TAGS) else code
