"""Tool calls that a server left in the text, a row for each form in which models write them."""

from __future__ import annotations

import json

import pytest

from runner.contract import CALL_IN_TEXT, CALL_UNREAD, ActionFormat, StepStatus
from runner.model.calls_in_text import FORMS, advise
from runner.model.prompts import said, told
from runner.model.reply import Action, ModelReply, read

CODE = 'import csv\nprint("a < b", {1: [2]})'
ARGUMENTS = json.dumps({"code": CODE})
CALL = json.dumps({"name": "execute_python", "arguments": {"code": CODE}})
PARAMETERS = json.dumps({"name": "execute_python", "parameters": {"code": CODE}})
ESCAPED = repr(CODE)

CALLS = {
    "JSON": CALL,
    "JSON with parameters": PARAMETERS,
    "JSON on several lines": json.dumps(json.loads(CALL), indent=2),
    "JSON in a fence": f"```json\n{CALL}\n```",
    "JSON in a bare fence": f"```\n{CALL}\n```",
    "JSON in a fence of its own": f"```tool_call\n{CALL}\n```",
    "JSON after words": f"I look at the files first.\n\n{CALL}",
    "JSON in a fence after words": f"I look at the files first.\n\n```json\n{CALL}\n```",
    "JSON before words": f"{CALL}\n\nThis prints the table.",
    "JSON with raw line breaks": CALL.replace("\\n", "\n"),
    "JSON in JSON": json.dumps({"name": "execute_python", "arguments": ARGUMENTS}),
    "OpenAI's object": json.dumps(
        {"id": "a", "type": "function",
         "function": {"name": "execute_python", "arguments": ARGUMENTS}}
    ),
    "OpenAI's list": json.dumps({"tool_calls": [{"function": json.loads(CALL)}]}),
    "a type and a name": json.dumps({"type": "function", **json.loads(PARAMETERS)}),
    "a list": f"[{CALL}]",
    "tool and args": json.dumps({"tool": "execute_python", "args": {"code": CODE}}),
    "function as a name": json.dumps({"function": "execute_python", "arguments": {"code": CODE}}),
    "an action": json.dumps({"action": "execute_python", "action_input": {"code": CODE}}),
    "Python's quotes": str({"name": "execute_python", "arguments": {"code": CODE}}),
    "Python": f"execute_python(code={ESCAPED})",
    "Python in a list": f"[execute_python(code={ESCAPED})]",
    "Python without a name": f"execute_python({ESCAPED})",
    "Python in Gemma's fence": f"```tool_code\nexecute_python(code={ESCAPED})\n```",
    "a name and a line": f"execute_python\n{ARGUMENTS}",
    "Hermes": f"<tool_call>\n{CALL}\n</tool_call>",
    "Hermes on one line": f"<tool_call>{CALL}</tool_call>",
    "Hermes without its end": f"<tool_call>\n{CALL}",
    "Hermes after words": f"I look.\n<tool_call>\n{CALL}\n</tool_call>",
    "Hermes after reasoning": f"<think>\ndeep\n</think>\n\n<tool_call>\n{CALL}\n</tool_call>",
    "Hermes and an end": f"<tool_call>\n{CALL}\n</tool_call><|im_end|>",
    "Hermes between words": f"I look.\n<tool_call>\n{CALL}\n</tool_call>\nThen I go on.",
    "Hermes in a fence": f"```xml\n<tool_call>\n{CALL}\n</tool_call>\n```",
    "tools": f"<tools>\n{CALL}\n</tools>",
    "function_call": f"<function_call> {CALL}",
    "Jamba": f"<tool_calls>[{CALL}]</tool_calls>",
    "Nemotron": f"<TOOLCALL>[{CALL}]</TOOLCALL>",
    "Granite": f"<|tool_call|>[{CALL}]",
    "LongCat": f"<longcat_tool_call>{CALL}</longcat_tool_call>",
    "Phi 4 mini": f"functools[{CALL}]",
    "InternLM": f"<|action_start|><|plugin|>{PARAMETERS}<|action_end|>",
    "LM Studio": f"[TOOL_REQUEST]{CALL}[END_TOOL_REQUEST]",
    "Cohere": "<|START_ACTION|>[{}]<|END_ACTION|>".replace(
        "{}",
        json.dumps(
            {"tool_call_id": "0", "tool_name": "execute_python", "parameters": {"code": CODE}}
        ),
    ),
    "Apertus": f'<|tools_prefix|>[{{"execute_python": {ARGUMENTS}}}]<|tools_suffix|>',
    "LFM2": f"<|tool_call_start|>[execute_python(code={ESCAPED})]<|tool_call_end|>",
    "Olmo": f"<function_calls>execute_python(code={ESCAPED})</function_calls>",
    "Llama": f"<|python_tag|>{PARAMETERS}<|eom_id|>",
    "Llama in Python": f"<|python_tag|>execute_python.call(code={ESCAPED})<|eom_id|>",
    "Llama 4": f"<|python_start|>{PARAMETERS}<|python_end|>",
    "Llama's function": f"<function=execute_python>{ARGUMENTS}</function>",
    "Llama, two": f"{PARAMETERS}; {PARAMETERS}",
    "Mistral": f"[TOOL_CALLS][{CALL}]",
    "Mistral with a blank": f"[TOOL_CALLS] [{CALL}]</s>",
    "Mistral with a name": f"[TOOL_CALLS]execute_python{ARGUMENTS}",
    "Mistral with arguments": f"[TOOL_CALLS]execute_python[ARGS]{ARGUMENTS}",
    "Mistral with a number": f"[TOOL_CALLS]execute_python[CALL_ID]a1b2c3d4e[ARGS]{ARGUMENTS}",
    "Qwen3-Coder": (
        "<tool_call>\n<function=execute_python>\n<parameter=code>\n"
        f"{CODE}\n</parameter>\n</function>\n</tool_call>"
    ),
    "Qwen3-Coder without its beginning": (
        f"<function=execute_python>\n<parameter=code>\n{CODE}\n</parameter>\n</function>\n</tool_call>"
    ),
    "Qwen3-Coder without its end": (
        f"<tool_call>\n<function=execute_python>\n<parameter=code>\n{CODE}\n</function>"
    ),
    "Seed": (
        "<seed:tool_call>\n<function=execute_python>\n<parameter=code>"
        f"{CODE}</parameter>\n</function>\n</seed:tool_call>"
    ),
    "MiniMax": (
        '<minimax:tool_call>\n<invoke name="execute_python">\n<parameter name="code">'
        f"{CODE}</parameter>\n</invoke>\n</minimax:tool_call>"
    ),
    "function_calls": (
        '<function_calls>\n<invoke name="execute_python">\n<parameter name="code">'
        f"{CODE}</parameter>\n</invoke>\n</function_calls>"
    ),
    "Step": (
        '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="execute_python">'
        f'<steptml:parameter name="code">{CODE}</steptml:parameter></steptml:invoke>'
        "<｜tool_call_end｜>"
    ),
    "GLM": (
        "<tool_call>execute_python\n<arg_key>code</arg_key>\n"
        f"<arg_value>{CODE}</arg_value>\n</tool_call>"
    ),
    "GLM on one line": (
        f"<tool_call>execute_python<arg_key>code</arg_key><arg_value>{CODE}</arg_value></tool_call>"
    ),
    "DeepSeek V3": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>execute_python\n"
        f"```json\n{ARGUMENTS}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>"
    ),
    "DeepSeek V3.1": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>execute_python<｜tool▁sep｜>"
        f"{ARGUMENTS}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "DeepSeek V3.2": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="execute_python">\n'
        f'<｜DSML｜parameter name="code" string="true">{CODE}</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜function_calls>"
    ),
    "Kimi": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.execute_python:0"
        f"<|tool_call_argument_begin|>{ARGUMENTS}<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "Gemma 4": f'<|tool_call>call:execute_python{{code:<|"|>{CODE}<|"|>}}<tool_call|>',
    "FunctionGemma": (
        f"<start_function_call>call:execute_python{{code:<escape>{CODE}<escape>}}<end_function_call>"
    ),
    "gpt-oss": (
        "<|channel|>analysis<|message|>deep<|end|><|start|>assistant<|channel|>commentary "
        f"to=functions.execute_python <|constrain|>json<|message|>{ARGUMENTS}<|call|>"
    ),
    "gpt-oss, named first": (
        "<|start|>assistant to=functions.execute_python<|channel|>commentary json<|message|>"
        f"{ARGUMENTS}<|call|>"
    ),
    "gpt-oss without its tokens": (
        f"analysisdeepassistantcommentary to=functions.execute_python json{ARGUMENTS}"
    ),
}  # fmt: skip


def tools(text: str, finish_reason: str = "stop") -> Action:
    return read(ModelReply(text, finish_reason=finish_reason), ActionFormat.TOOLS)


@pytest.mark.parametrize("text", CALLS.values(), ids=CALLS)
def test_call_in_the_text_is_run_and_noted(text: str) -> None:
    action = tools(text)
    assert (action.status, action.code) == (StepStatus.OK, CODE)
    assert action.notes[0].startswith(f"{CALL_IN_TEXT} (")
    assert not action.calls_tools
    assert action.thought in ("", "deep", "I look.", "I look at the files first.",
                              "This prints the table.", "I look.\n\nThen I go on.")  # fmt: skip


def test_conversation_keeps_a_call_in_the_text_as_text() -> None:
    reply = ModelReply(CALLS["Hermes after words"])
    action = read(reply, ActionFormat.TOOLS)
    assert said(reply, action) == {"role": "assistant", "content": reply.text}
    assert told(reply, action, "1") == [{"role": "user", "content": "1"}]
    assert action.thought == "I look."


def test_first_call_in_the_text_is_run_and_the_others_are_counted() -> None:
    for text in (f"{CALL}\n{CALL}", f"[{CALL}, {CALL}]", f"<tool_call>{CALL}</tool_call>" * 2):
        assert tools(text).notes[1:] == ("1 more tool call was not run",)


TALK = {
    "a call between sentences": f"I called it so:\n\n```json\n{CALL}\n```\n\nThe total is 42.",
    "a call in a sentence": f"The call was {CALL}",
    "a mark in backticks": f"Calls stand between `<tool_call>` and `</tool_call>`: `{CALL}`.",
    "a form in a fence": f"Calls look so:\n```text\n<tool_call>\n{CALL}\n</tool_call>\n```\nDone.",
    "JSON that is no call": json.dumps({"total": 42, "names": ["a"]}),
    "JSON of another tool": json.dumps({"name": "search", "arguments": {"query": "a"}}),
    "JSON with a name": json.dumps({"name": "execute_python", "price": 3}),
    "JSON in a fence": f"The result:\n```json\n{json.dumps([{'name': 'Ann', 'age': 3}])}\n```",
    "a list": "[1, 2, 3]",
    "code": "I used\n```python\nprint(1)\n```",
    "no call": "<tool_call>\nx = 1\n</tool_call>",
    "Kimi in backticks": f"The hour is 5. Inline: `{CALLS['Kimi']}` is Kimi's.",
    "Kimi in a table": f"| server | call |\n|---|---|\n| Kimi | {CALLS['Kimi']} |",
    "a blockquote": f"> [TOOL_CALLS] [{CALL}]\n\nis how Mistral quotes it. The hour is 5.",
    "a blockquote after words": f"It is 5. I sent\n> <tool_call>{CALL}</tool_call>\nand it worked.",
    "pre": f"<pre>\n<tool_call>{CALL}</tool_call>\n</pre>\nis an example. Answer 5.",
    "indented": f"An example:\n\n    <tool_call>{CALL}</tool_call>\n\nAnswer 5.",
    "a mark in a sentence": "The hour is 5. The text <tool_call> appears in the data, 17 times.",
    "two marks": 'There was the line "[TOOL_CALLS]" twice and <|python_tag|> once',
    "a form": 'It writes <tool_call>{"name": ..., "arguments": ...}</tool_call> around a call.',
    "its name": "I ran execute_python three times.",
}


@pytest.mark.parametrize("text", TALK.values(), ids=TALK)
def test_text_about_calls_is_the_answer(text: str) -> None:
    action = tools(text)
    assert (action.status, action.answer) == (StepStatus.ANSWER, text)


UNREAD = {
    "half an object": (f"<tool_call>\n{CALL[:40]}", "cannot be read"),
    "half a bare object": (CALL[:60], "cannot be read"),
    "half an object in a fence": (f"```json\n{CALL[:60]}", "cannot be read"),
    "another tool": (
        '<tool_call>{"name": "python", "arguments": {"code": "1"}}</tool_call>',
        "no tool called “python”",
    ),
    "gpt-oss's own tool": (
        "<|channel|>analysis to=python code<|message|>print(1)<|call|>", "no tool called “python”",
    ),
    "no code": ('<tool_call>{"name": "execute_python", "arguments": {}}</tool_call>', "missing"),
    "arguments that are no JSON": ("[TOOL_CALLS]execute_python[ARGS]{print}", "not valid JSON"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "complaint"), UNREAD.values(), ids=UNREAD)
def test_call_that_cannot_be_read_is_no_answer(text: str, complaint: str) -> None:
    action = tools(text)
    assert (action.status, action.code, action.answer) == (StepStatus.MALFORMED, None, None)
    assert complaint in action.complaint
    assert action.notes[0].startswith(f"{CALL_UNREAD} (")


def test_cut_call_says_that_it_was_cut() -> None:
    action = tools(f"<tool_call>\n{CALL[:40]}", "length")
    assert "cut at the length limit" in action.complaint


@pytest.mark.parametrize("action_format", [ActionFormat.FENCED, ActionFormat.MARKERS])
def test_call_of_a_tool_that_was_not_offered_is_no_answer(action_format: ActionFormat) -> None:
    action = read(ModelReply(CALLS["Hermes"]), action_format)
    assert action.status == StepStatus.MALFORMED
    assert action.complaint.startswith("No tools are offered here. Put the code")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_advice_names_the_parsers_that_read_a_form(form: object) -> None:
    assert f"--tool-call-parser {form.vllm}, " in advise(form.name)  # type: ignore[attr-defined]
    assert f"--tool-call-parser {form.sglang}, " in advise(form.name)  # type: ignore[attr-defined]
