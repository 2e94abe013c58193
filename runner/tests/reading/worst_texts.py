"""The worst texts for what the runner reads."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from functools import cache
from typing import Any, cast

from runner.contract import (
    ActionFormat,
    CellResult,
    CellStatus,
    EndpointSpec,
    Limits,
    Output,
    OutputKind,
)
from runner.endpoint import client, error_bodies, errors, payloads
from runner.endpoint.completion import ReplyDraft, whole
from runner.endpoint.http import open_http
from runner.judge.messages import cut_section
from runner.model import calls_in_text, code_blocks, observation, prompts, reply, special_tokens
from runner.model.reply import ModelReply, ToolCall
from runner.tests.support.worst_texts import K, Reader, repeated

IN_TEXT = '<tool_call>{"name": "execute_python", "arguments": {"code": "1"}}'
SPEC = EndpointSpec("http://127.0.0.1:9/v1", "m", api_key="sk-0123456789")


def read_fenced(text: str) -> object:
    return reply.read(ModelReply(text), ActionFormat.FENCED)


def read_marked(text: str) -> object:
    return reply.read(ModelReply(text), ActionFormat.MARKERS)


def read_call(text: str) -> object:
    made = ModelReply("", tool_calls=(ToolCall("c1", calls_in_text.TOOL_NAME, text),))
    action = reply.read(made, ActionFormat.TOOLS)
    return prompts.said(made, action), prompts.told(made, action, "seen")


def show_judge(text: str) -> object:
    return cut_section("final answer", text, 8 * K, ("gpt-4o", "a a a a a a a a", "aaa-aaa"))


def observe(text: str) -> object:
    output = Output(OutputKind.STDOUT, text)
    error = Output(OutputKind.ERROR, text, error_name="E", error_value=text[:1000])
    return observation.observe(CellResult(CellStatus.OK, (output, error), 1.0), Limits())


def refuse(text: str) -> object:
    said = error_bodies.read_error({"error": {"message": text, "code": text}})
    return errors.of_status(400, {"retry-after": text}, said, SPEC)


def decode(text: str) -> object:
    """As a whole body; what is no JSON is refused."""
    try:
        return payloads.add_payload(ReplyDraft(), text.encode())
    except (payloads.NotJson, payloads.ErrorInside) as error:
        return error


def receive(text: str) -> object:
    draft = ReplyDraft()
    draft.add({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]})
    return draft.reply()


def refuse_body(text: str) -> object:
    return error_bodies.read_error(json.loads(text))


def json_in_lists(chars: int) -> str:
    """Lists of texts that are JSON themselves, five wide and five deep."""
    leaf: object = json.dumps(["["] * (chars // 1000))
    for _ in range(5):
        leaf = [leaf] * 5
    return json.dumps(leaf)


def json_in_json(chars: int) -> str:
    text = "x" * (chars // 100)
    for _ in range(6):
        text = json.dumps({"error": text, "detail": text[:9]})
    return json.dumps({"error": [text] * 5})


def read_events(text: str) -> object:
    """As they arrive, a few bytes at a time."""
    data = text.encode()

    class Response:
        is_stream_consumed = False

        async def aiter_raw(self) -> AsyncIterator[bytes]:
            for start in range(0, len(data), 1000):
                yield data[start : start + 1000]

    async def read() -> object:
        try:
            return await make_client().receive_stream(cast(Any, Response()))
        except errors.EndpointError as error:
            return error

    return asyncio.run(read())


def read_body(text: str) -> object:
    """As a whole body that names no type."""
    data = text.encode()

    class Response:
        status_code, headers, is_stream_consumed, content = 200, dict[str, str](), True, data

        async def aread(self) -> bytes:
            return data

    async def read() -> object:
        try:
            return await make_client().receive(cast(Any, Response()))
        except errors.EndpointError as error:
            return error

    return asyncio.run(read())


@cache
def make_client() -> client.EndpointClient:
    return client.EndpointClient(SPEC, open_http())


READERS = (
    Reader(
        "runner.endpoint.payloads.add_payload",
        decode,
        1000 * K,
        {
            "objects": repeated('{"a":1},', before='{"choices":[', after="{}]}"),
            "lists": repeated("[],", before='{"a":[', after="1]}"),
            "brackets": repeated("["),
            "text": repeated("a", before='{"choices":[{"message":{"content":"', after='"}}]}'),
            "escapes": repeated("\\u4e2d", before='{"a":"', after='"}'),
            "parts": repeated(
                '{"text":"a"},', before='{"choices":[{"message":{"content":[', after="{}]}}]}"
            ),
            "an error": repeated('{"error":', before='{"error":', after="1"),
            "objects in a row": repeated('{"a":1}'),
            "objects and spaces": repeated('{"a":1}' + " " * 99),
            "fields in a row": repeated('{"a":1}data:'),
            "an object, then brackets": repeated("[", before='{"a":1}'),
        },
        ("runner.endpoint.payloads.BETWEEN",),
        is_whole=True,
    ),
    Reader(
        "runner.endpoint.client.receive_stream",
        read_events,
        2000 * K,
        {
            "one line": repeated("a"),
            "events": repeated("data: {}\n\n"),
            "events without an end": repeated("data: {}\n"),
            "lines of one event": repeated("data: [\n"),
            "events of two lines": repeated("data: {\ndata: }\n\n"),
            "large lines of one event": repeated("data: {" + "[" * 70_000 + "\n"),
            "empty data": repeated("data:\n"),
            "types": repeated("event: ping\n"),
            "a long type": repeated("p", before="event: "),
            "keep-alives": repeated("data: ping\n"),
            "dots of a keep-alive": repeated(".", before="data: ping"),
            "returns": repeated("data: {}\r"),
            "comments": repeated(":\n"),
            "spaces": repeated(" ", before="data:"),
            "spaces before a line": repeated(" ", after="data:"),
            "prefixes": repeated("data:"),
            "brackets and spaces": repeated(" ", before="data: [", after="x"),
            "ends": repeated("data: [DONE]\n"),
            "texts": repeated("data: a\n\n"),
        },
        (
            "runner.endpoint.payloads.KEEP_ALIVE",
            "runner.endpoint.payloads.BEGINS_OBJECT",
            "runner.endpoint.client.DATA",
            "runner.endpoint.client.IS_DONE",
        ),
        is_whole=True,
    ),
    Reader(
        "runner.endpoint.client.receive",
        read_body,
        2000 * K,
        {
            "comments": repeated(":\n"),
            "comments and blanks": repeated(": a\n" + " " * 99 + "\n"),
            "HTML's comments": repeated("<!-- a -->\n"),
            "a long comment": repeated("a", before=":"),
            "line breaks": repeated("\n"),
            "blanks": repeated(" ", after="x"),
            "comments before events": repeated(":\n", after="data: {}\n"),
        },
        ("runner.endpoint.client.COMMENTS", "runner.endpoint.client.STARTS_EVENT"),
        is_whole=True,
    ),
    Reader(
        "runner.endpoint.error_bodies.read_error",
        refuse_body,
        100 * K,
        {"JSON in lists": json_in_lists, "JSON in JSON": json_in_json},
        is_whole=True,
    ),
    Reader(
        "runner.model.code_blocks.find_blocks",
        code_blocks.find_blocks,
        code_blocks.SEARCHED_CHARS,
        {
            "tildes, then a backtick": repeated("~", after="`"),
            "tildes and letters": repeated("~x", after="`"),
            "backticks": repeated("`"),
            "spaces before a fence": repeated(" " * 60 + "```\n"),
            "fences with a backtick behind": repeated("```x`\n"),
            "fences after words": repeated("aaa ```x\n"),
            "fences after code": repeated("`a` " * 99 + "```python\n"),
            "code on a line": repeated("`a` ", after="```python"),
            "blocks": repeated("```python\n```\n"),
            "openings": repeated("```python\n"),
            "closings that are too short": repeated("```\n", before="````\n"),
            "line breaks": repeated("\n"),
            "lines of spaces": repeated(" " * 99 + "\n", before="```\n"),
            "an endless info": repeated("a ", before="```"),
        },
        (
            "runner.model.code_blocks.OPENING",
            "runner.model.code_blocks.CLOSING",
            "runner.model.code_blocks.LIST_MARK",
            "runner.model.code_blocks.TAG_END",
            "runner.model.code_blocks.VERSION",
        ),
    ),
    Reader(
        "runner.model.code_blocks.ends_in_string",
        code_blocks.ends_in_string,
        code_blocks.LONGEST_PARSED_CHARS,
        {
            "quotes": repeated('"'),
            "triple quotes": repeated('"""', before="'''"),
            "backslashes": repeated("\\", before='"""'),
            "quotes and backslashes": repeated("\"'\\"),
            "comments": repeated("#\n"),
            "two quotes in a string": repeated('""a', before='"""'),
        },
        ("runner.model.code_blocks.STRING",),
    ),
    Reader(
        "runner.model.reply.read (fenced)",
        read_fenced,
        300 * K,
        {
            "closing tags": repeated("</think>\n"),
            "closing tags inside lines": repeated("a</think>b"),
            "tags": repeated("<think>\n</think>\n"),
            "opening tags": repeated("<think>"),
            "spaces": repeated(" ", after="x"),
            "lines of spaces": repeated(" " * 40 + "\n"),
            "less-than signs": repeated("<"),
            "slashes": repeated("</"),
            "blocks": repeated("```python\na\n```\n"),
            "quoted fences": repeated("> ```\n"),
            "tabs before a tag": repeated("\t", after="<think"),
            "words in a block": repeated("so it is ", before="```\n", after="\n```"),
            "blanks in a block": repeated(" \n", before="```\n= =", after="\n```"),
            "names in a block": repeated("a ", before="```\n", after="\n```"),
            "other lines": repeated("\x85<think>\u2028"),
            "accents": repeated("\u0301\u0316"),
            "other capitals": repeated("<th\u0130nk>"),
        },
        ("runner.model.code_blocks.OPENING", "runner.model.reply.CODE_SIGN"),
        is_whole=True,
    ),
    Reader(
        "runner.model.special_tokens.split_reasoning",
        special_tokens.split_reasoning,
        300 * K,
        {
            "openings that never close": repeated("<think>\n", before="a\n"),
            "prompts": repeated("[INST]a[/INST]"),
            "recipients": repeated(">>>all\n"),
            "blanks behind a recipient": repeated(" ", before=">>>all", after="x"),
            "turns": repeated("</s>[INST]a[/INST]", before="[INST]a[/INST]"),
            "ends of prompts": repeated("[/INST]", before="[INST]"),
            "ends before blanks": repeated("</s>" + " " * 99, before="[INST]a[/INST]"),
            "other openings": repeated("[THINK]\n<think>\n<|START_THINKING|>\n", before="a\n"),
            "openings and closings": repeated("[THINK]\n[/THINK]\n"),
            "closings at lines": repeated("</think>\n", before="a"),
            "ends of turns": repeated("<|im_end|>", after="x"),
            "ends of turns and blanks": repeated("<|im_end|> \n", before="x", after="x"),
            "ends at the end": repeated("</s> ", before="x"),
            "beginnings at the beginning": repeated("<s> "),
            "beginnings and ends": repeated("<|im_end|>\n<|im_start|>assistant\n", before="a"),
            "beginnings of tokens": repeated("<|"),
            "a start without a role": repeated("<|im_start|>\t"),
            "blanks in a start": repeated("\t", before="<|im_start|>", after="x"),
            "channels": repeated("<|channel|>analysis<|message|>"),
            "channels without a message": repeated("<|channel|>analysis "),
            "headers": repeated("<|start|>assistant" + "a" * 90),
            "ends of messages": repeated("<|end|>", before="<|channel|>analysis<|message|>"),
            "ends of messages and blanks": repeated(
                "<|end|>" + " " * 99, before="<|channel|>analysis<|message|>", after="x"
            ),
            "blanks after a message": repeated(
                " ", before="<|channel|>analysis<|message|>a<|end|>", after="x"
            ),
            "analysis": repeated("assistantfinal", before="analysis"),
            "fences on one line": repeated("``` "),
            "fences that never close": repeated("~~~~\n```\n"),
            "blocks with closings": repeated("```\n</think>\n```\n"),
            "one block of closings": repeated("</think>\n", before="```\n", after="\n```"),
            "blocks that a string opens": repeated('```python\n"""\n```\n'),
            "boxes": repeated("<|begin_of_box|>"),
            "code that never ends": repeated(code_blocks.START),
            "words": repeated("think "),
            "bytes": repeated("<0x0A>"),
            "quoted bytes": repeated("`<0x0A>` "),
            "bytes in blocks": repeated("```text\na<0x0A>b\n```\n"),
            "ends in quotes": repeated('a<|im_end|>b"', before='"'),
            "ends in sentences": repeated("a <|im_end|> b "),
            "ends of what is struck through": repeated("a </s> b", before="a</s>"),
            "pads": repeated("<pad>", before="x ", after=" x"),
            "pads first": repeated("<pad>"),
            "messages": repeated("<|message|> "),
            "bare headers": repeated("final<|message|>\n"),
            "headers in sentences": repeated("a assistantfinal "),
            "bare reasoning": repeated("analysis<|message|>a\n"),
            "bare reasoning that ends": repeated("analysis<|message|>a<|end|>final"),
            "elements": repeated("<tool_call>\n"),
            "elements that end": repeated("<function=a></function>"),
            "beginnings of elements": repeated("<parameter " + "a" * 79),
            "blocks that end with a turn": repeated("```\na\n```<|im_end|>b\n"),
            "fences and blanks": repeated("```" + " " * 99 + "\n"),
        },
        (
            "runner.model.special_tokens.MARK",
            "runner.model.special_tokens.TURN_START",
            "runner.model.special_tokens.TURNS",
            "runner.model.special_tokens.LEAD",
            "runner.model.special_tokens.MESSAGE_END",
            "runner.model.special_tokens.BARE_ROLE",
            "runner.model.special_tokens.CLOSED_BY_END",
            "runner.model.special_tokens.CLOSES",
            "runner.model.special_tokens.LONE_CLOSING",
            "runner.model.special_tokens.OTHERS",
            "runner.model.special_tokens.ECHO",
            "runner.model.special_tokens.NEXT_ECHO",
            "runner.model.special_tokens.BYTES",
            "runner.model.code_blocks.TICKS",
        ),
        is_whole=True,
    ),
    Reader(
        "runner.model.reply.read (markers)",
        read_marked,
        300 * K,
        {
            "starts": repeated(code_blocks.START),
            "quoted starts": repeated(f"`{code_blocks.START}`"),
            "ends": repeated(code_blocks.END),
            "fences inside": repeated("```\n", before=code_blocks.START),
        },
        ("runner.model.reply.MARKER",),
        is_whole=True,
    ),
    Reader(
        "runner.model.reply.read (tools)",
        read_call,
        300 * K,
        {
            "brackets": repeated("["),
            "lists": lambda chars: "[" + ",".join(["[]"] * (chars // 3)) + "]",
            "objects": lambda chars: "[" + ",".join(['{"a":1}'] * (chars // 8)) + "]",
            "a code": lambda chars: json.dumps({"code": "a\n" * (chars // 3)}),
            "digits": lambda chars: "[" + ",".join(["9" * 4000] * (chars // 4001)) + "]",
            "objects in a row": repeated("{}"),
            "tokens": repeated("<|call|>", before="{}", after="x"),
            "beginnings of tokens": repeated("<", before="{}"),
            "blanks": repeated(" ", before="{}", after="x"),
        },
        ("runner.model.reply.BLANKS", "runner.model.reply.TOKENS"),
        is_whole=True,
    ),
    Reader(
        "runner.model.calls_in_text.find_calls",
        calls_in_text.find_calls,
        code_blocks.SEARCHED_CHARS,
        {
            "marks": repeated("<tool_call>"),
            "marks and brackets": repeated("<tool_call>["),
            "quoted marks": repeated("> <tool_call>\n"),
            "marks in backticks": repeated("`<tool_call>` "),
            "marks and braces": repeated('<tool_call>{"a":'),
            "a mark and braces": repeated('{"a":', before="<tool_call>"),
            "open strings": repeated('<tool_call>{"a":"b\n'),
            "lines of brackets": repeated("{\n"),
            "lines of objects": repeated("{}\n"),
            "lines of calls": repeated('{"name":"execute_python","arguments":{}}\n'),
            "calls of others": repeated('{"name":"a","arguments":{}}\n'),
            "one list": repeated("{},", before="[", after="{}]"),
            "calls in calls": repeated('{"function":', before='{"function":'),
            "Python's braces": repeated("{'a':", before="{'a':", after="}"),
            "a call in Python": repeated("(", before="execute_python("),
            "sums in Python": repeated("1+", before="execute_python(", after="1)"),
            "calls in Python one by one": repeated("execute_python('')\n", after="x"),
            "prints in Python": repeated("print(", before="execute_python("),
            "elements": repeated("<function=a>"),
            "parameters": repeated("<parameter=code>", before="<function=a>"),
            "open parameters": repeated("<function=a><parameter=code>x"),
            "pairs": repeated(
                "<arg_key>a</arg_key><arg_value>b</arg_value>", before="<tool_call>a"
            ),
            "open pairs": repeated("<tool_call>a<arg_key>a</arg_key><arg_value>"),
            "quotes": repeated('a:<|"|>b<|"|>,', before="<|tool_call>call:a{"),
            "channels": repeated("<|channel|>commentary to=a "),
            "blanks": repeated(" ", before="<tool_call>", after="x"),
            "blanks before a name": repeated("<tool_call>" + " " * 999),
            "blanks before all": repeated(" ", after="x"),
            "less-than signs": repeated("<"),
            "words": repeated("tool_call "),
            "thoughts and code": repeated("Thought: a\n<code>\nx=1\n</code>\n"),
            "objects without an end": repeated('{"a":{"b":"</x>"}'),
            "escapes that JSON does not know": repeated("\\d", before='{"a":"', after='"}'),
            "escaped quotes": repeated('\\"', before='{"'),
            "last commas": repeated(", ", before='{"a":1'),
            "strings and commas": repeated('"",', before='[{"a":'),
            "curly quotes": repeated("“", before="{"),
            "blanks before a curly quote": repeated(" ", before="[", after="{“"),
            "lines of YAML": repeated(" x\n", before="name: execute_python\ncode: |\n"),
            "empty lines of YAML": repeated(" \n", before="name: execute_python\ncode: |\n x"),
            "names in YAML": repeated("name: execute_python\n"),
            "fences before JSON": repeated("<tool_call>```json\n"),
            "blocks": repeated("```json\n{}\n```\n"),
            "fences": repeated("```", before="{}"),
            "code": repeated("x = 1\n", before="<tool_call>\n", after="\n</tool_call>"),
            "code and closings": repeated("x = 1\n</tool_call>\n", before="<tool_call>\n"),
            "code in tags": repeated("<tool_call>\n" + "x = 1\n" * 99 + "= \n</tool_call>\n"),
            "closings": repeated("</tool_call>", before="<tool_call>\n"),
            "closings in one value": repeated("</parameter>", before="<function=a><parameter=b>"),
            "code in one value": repeated(
                "x = 1\n", before="<function=a><parameter=b>", after="</parameter>=</parameter>"
            ),
            "closings of values": repeated(
                "<function=a><parameter=b>" + "x = 1\n" * 99 + "</parameter>=</parameter>"
            ),
            "fences behind a tag": repeated("\n```", before="<tool_call>```\nx = 1"),
            "commands": repeated("!\n", before="<tool_call>\n"),
            "blanks before a command": repeated(" ", before="<tool_call>\n", after="!"),
            "names on lines": repeated("execute_python\n", before="<tool_call>"),
            "backticks in a line": repeated("` <tool_call> "),
            "tags that quote": repeated("<pre>"),
            "beginnings of tags that quote": repeated("<pre a"),
            "tags that quote and end": repeated("<pre></pre>"),
            "rows of a table": repeated("a | <tool_call> |\n", before="a | b\n--|--\n"),
            "rules of a table": repeated("-|-\n", after="<tool_call>|"),
            "a long rule": repeated("-|", after=" <tool_call>|\n-"),
            "dots": repeated(". ", before="<tool_call>"),
            "names without marks": repeated("execute_python" + " " * 999),
            "blanks behind a name": repeated(" ", before="execute_python", after="x"),
            "blanks behind a number": repeated(" ", before="functions.a:0", after="x"),
            "numbers of calls": repeated("functions.a:0"),
            "calls without marks": repeated('execute_python{"code":"1"}'),
            "calls without quotes": repeated("call:execute_python{code:"),
            "fences behind names": repeated("functionexecute_python\n```\n"),
            "calls in Python": repeated(".execute_python("),
            "calls in Python that are named": repeated("\na = execute_python("),
            "calls in Python that are printed": repeated("\nprint(str(default_api.execute_python("),
            "blanks behind a call in Python": repeated(
                " ", before="execute_python('1')", after="print(a"
            ),
            "Solar's marks": repeated("<|tool_calls|> <|tool_call:begin|>a"),
            "blanks behind Solar's mark": repeated(" ", before="<|tool_calls|>", after="x"),
            "arguments of Solar": repeated(
                "<|tool_arg:start|>a<|tool_arg:value|>1",
                before="<|tool_call:start|>execute_python\n",
            ),
            "quotes in a call in Python": repeated("')", before="execute_python('", after="="),
            "calls in Python with open quotes": repeated("\nexecute_python('=\n"),
            "lines behind a call in Python": repeated(
                "\n", before="[execute_python('')]", after="x"
            ),
            "blanks behind a quote in Python": repeated(
                " ", before="execute_python('\n'", after="x"
            ),
            "fences of Python": repeated("```python\nexecute_python('\n```\n"),
            "fences of Gemma's": repeated("```tool_code\n=\n```\n"),
            "Glaive's quotes": repeated("""{"name": "a", "arguments": '{"""),
            "blanks in Glaive's": repeated(" ", before='{"name":', after="x"),
            "blanks behind Glaive's": repeated(
                " ", before="""{"name": "a", "arguments": '{}'""", after="x"
            ),
            "ReAct's actions": repeated("Action: execute_python\nAction Input:\n"),
            "lines in ReAct's": repeated("\n", before="Action: execute_python", after="x"),
            "ReAct's results": repeated(
                "\n ", before="Action: execute_python\nAction Input: x=1"
            ),
            "Functionary's marks": repeated(">>>execute_python\n"),
            "arguments alone": repeated('{"code": "f(x)"}\n'),
            "ReAct in bold": repeated("**Action:** `execute_python`\n\n**Action "),
            "elements of its name": repeated("<execute_python> <code>"),
            "names in elements": repeated("<invoke><name>execute_python</name><input><code>"),
            "blanks in an element": repeated(" ", before="<invoke><tool_name>a", after="x"),
            "DeepSeek's marks with plain bars": repeated("<|tool_call_begin|>a<|tool_sep|>"),
            "brackets behind dots": repeated(".{"),
            "analyses": repeated("<|channel|>analysis<|message|>" + "a" * 1999),
            "marks of channels": repeated("commentary to=a " + "b" * 120),
        },
        (
            "runner.model.calls_in_text.FORMS",
            "runner.model.calls_in_text.STRUCTURE",
            "runner.model.calls_in_text.PRINTED",
            "runner.model.calls_in_text.PLACEHOLDER",
            "runner.model.calls_in_text.GLUED",
            "runner.model.calls_in_text.NAME_LINE",
            "runner.model.calls_in_text.MAGIC",
            "runner.model.calls_in_text.NAME_IN_QUOTES",
            "runner.model.calls_in_text.HTML_QUOTE",
            "runner.model.calls_in_text.TABLE_RULE",
            "runner.model.calls_in_text.LINE_END",
            "runner.model.calls_in_text.NEXT_CALL",
            "runner.model.calls_in_text.PAIR_END",
            "runner.model.calls_in_text.A_CLOSING",
            "runner.model.calls_in_text.A_MARK_ANYWHERE",
            "runner.model.calls_in_text.FENCE_BEFORE",
            "runner.model.calls_in_text.FENCE_BEHIND",
            "runner.model.code_blocks.TICKS",
            "runner.model.calls_in_text.MARK",
            "runner.model.calls_in_text.PATTERNS",
            "runner.model.calls_in_text.BEGINNING",
            "runner.model.calls_in_text.SENTENCE_END",
            "runner.model.calls_in_text.UNQUOTED",
            "runner.model.calls_in_text.WORD_END",
            "runner.model.calls_in_text.BLANKS",
            "runner.model.calls_in_text.FOLLOWING",
            "runner.model.calls_in_text.PARAMETER",
            "runner.model.calls_in_text.PARAMETER_END",
            "runner.model.calls_in_text.CALL_END",
            "runner.model.calls_in_text.PAIR",
            "runner.model.calls_in_text.CHILD",
            "runner.model.calls_in_text.CHILD_END",
            "runner.model.calls_in_text.QUOTED",
            "runner.model.calls_in_text.PYTHON_CALL",
            "runner.model.calls_in_text.PYTHON_END",
            "runner.model.calls_in_text.LOOSE_CALL",
            "runner.model.calls_in_text.LOOSE_ENDS",
            "runner.model.calls_in_text.WORDS_BEHIND_LIST",
            "runner.model.calls_in_text.WORDS_BEHIND_LINE",
            "runner.model.calls_in_text.QUOTED_ARGUMENTS",
            "runner.model.calls_in_text.QUOTED_END",
            "runner.model.calls_in_text.CODE_END",
            "runner.model.calls_in_text.FENCE_AT_START",
            "runner.model.calls_in_text.FENCE_AT_END",
            "runner.model.calls_in_text.CURLY_KEY",
            "runner.model.calls_in_text.DAMAGE",
            "runner.model.calls_in_text.ESCAPE",
            "runner.model.calls_in_text.YAML_BLOCK",
            "runner.model.calls_in_text.JSON_FENCE",
        ),
    ),
    Reader(
        "runner.model.reply.read (a call in the text)",
        lambda text: reply.read(ModelReply(text), ActionFormat.TOOLS),
        300 * K,
        {
            "marks after a call": repeated("</tool_call>", before=IN_TEXT),
            "marks before a call": repeated("<a>\n", after=IN_TEXT),
            "blanks after a call": repeated(" ", before=IN_TEXT, after="x"),
            "calls in sentences": repeated(f" a {IN_TEXT} b"),
            "leads to a call": repeated("for reference, the call I used ", after=f":\n{IN_TEXT}"),
            "examples before a call": repeated("example of a ", after=f":\n{IN_TEXT}"),
            "advice before a call": repeated("you can check it ", after=f":\n{IN_TEXT}"),
            "a long lead to a call": repeated("the code ", after=f"\n{IN_TEXT}"),
            "calls of nothing": repeated("[TOOL_CALLS][", before="a"),
            "words behind the tool": repeated("a ", before="{ execute_python "),
            "names of the tool": repeated("execute_python ", before="{"),
            "blanks in a call of nothing": repeated(" ", before="a[TOOL_CALLS][", after="x"),
            "entities": repeated("&lt;"),
            "brackets before an entity": repeated("[ ", after="{&quot;"),
        },
        (
            "runner.model.reply.ESCAPED_CALL",
            "runner.model.reply.CODE_ELEMENT",
            "runner.model.reply.ODD_CALL",
            "runner.model.calls_in_text.EMPTY_CALL",
            "runner.model.calls_in_text.QUOTING",
            "runner.model.calls_in_text.IMAGINED",
            "runner.model.calls_in_text.MARK_AT_END",
            "runner.model.calls_in_text.MARKS_AT_START",
        ),
        is_whole=True,
    ),
    Reader(
        "runner.model.observation.observe",
        observe,
        64 * 1024,
        {
            "escapes": repeated("\x1b]"),
            "escape digits": repeated("0", before="\x1b["),
            "escape spaces": repeated("\x1b[0 "),
            "returns": repeated("a\r"),
            "line breaks": repeated("\n"),
            "controls": repeated("\x00"),
            "halves of pairs": repeated("\ud800"),
            "backspaces": repeated("a\b"),
            "device strings": repeated("\x1bP"),
            "colours": repeated("\x1b[38;5;"),
            "accents": repeated("a\u0301\u0316"),
            "other lines": repeated("\x0b\x85\u2028"),
        },
        (
            "runner.model.observation.ANSI",
            "runner.model.observation.CONTROL",
            "runner.model.observation.SURROGATE",
        ),
        is_cut_before=True,
    ),
    Reader(
        "runner.endpoint.errors.of_status",
        refuse,
        error_bodies.MOST_CHARS,
        {
            "codes in brackets": repeated(" [a]", after="x"),
            "context": repeated("context "),
            "prompt": repeated("prompt "),
            "request too large": repeated("request too large "),
            "model": repeated("model "),
            "exceed": repeated("exceed "),
            "input": repeated("input"),
            "spaces": repeated(" ", after="x"),
            "no print": repeated("\x01"),
            "digits": repeated("9"),
            "JSON": repeated('{"error":'),
            "lists": repeated("["),
        },
        (
            "runner.endpoint.errors.UNPRINTABLE",
            "runner.endpoint.errors.SECONDS",
            "runner.endpoint.refusal_words.any_of",
        ),
    ),
    Reader(
        "runner.endpoint.completion.ReplyDraft",
        receive,
        300 * K,
        {
            "halves of pairs": repeated("\ud800"),
            "scattered halves": repeated("a\ud800"),
            "letters": repeated("é"),
        },
        ("runner.endpoint.completion.SURROGATES",),
        is_whole=True,
    ),
    Reader(
        "runner.endpoint.completion.whole",
        whole,
        300 * K,
        {"pairs": repeated("\ud83d\ude00"), "runs": repeated("\ud83d" * 999 + "a")},
        is_whole=True,
    ),
    Reader(
        "runner.judge.messages.cut_section",
        show_judge,
        200 * K,
        {
            "names": repeated("gpt-4o "),
            "beginnings of names": repeated("a "),
            "one word": repeated("gpt-4"),
            "hidden": repeated("\u200b\u202e"),
        },
        ("runner.judge.messages.pattern_of",),
    ),
)  # fmt: skip
