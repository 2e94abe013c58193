"""Replies in the three action formats, well made and not."""

from __future__ import annotations

import json

import pytest

from runner.contract import ActionFormat, StepStatus
from runner.model.code_blocks import END, START, find_blocks
from runner.model.prompts import said, told
from runner.model.reply import Action, ModelReply, ToolCall, read

FENCED, MARKERS, TOOLS = ActionFormat.FENCED, ActionFormat.MARKERS, ActionFormat.TOOLS


def fenced(text: str, finish_reason: str = "stop") -> Action:
    return read(ModelReply(text, finish_reason=finish_reason), FENCED)


RUN = [
    ("```python\nprint(1)\n```", "print(1)"),
    ("```py\nprint(1)\n```", "print(1)"),
    ("```Python\nprint(1)\n```", "print(1)"),
    ("```ipython\n%timeit 1\n```", "%timeit 1"),
    ("```{.python}\nprint(1)\n```", "print(1)"),
    ("```python title=a.py\nprint(1)\n```", "print(1)"),
    ("```\nprint(1)\n```", "print(1)"),
    ("```\nprint(1\n```", "print(1"),
    ("```\ntotal = = 1\n```", "total = = 1"),
    ("```\nfor a in b\n  a\n```", "for a in b\n  a"),
    ("```\n!ls\n```", "!ls"),
    ("```\ntable\n```", "table"),
    ("```\n42\n```\n```\nprint(1)\n```", "print(1)"),
    ("~~~python\nprint(1)\n~~~", "print(1)"),
    ("````python\nprint('''\n```\n''')\n````", "print('''\n```\n''')"),
    ("First I look.\n```python\na = 1\nb = 2\n```\nThen I go on.", "a = 1\nb = 2"),
    ("Action: ```python\nprint(1)\n```", "print(1)"),
    ("**Action:**```python\nprint(1)\n```", "print(1)"),
    ("1. ```python\nprint(1)\n```", "print(1)"),
    (f"{'I look at the data. ' * 20}```python\nprint(1)\n```", "print(1)"),
    ("I read `a.csv` and ``b.csv`` first. ```python\nprint(1)\n```", "print(1)"),
    (
        f"<think>{'So. ' * 40}</think>{'I look. ' * 40}```python\nprint('</think>')\n```",
        "print('</think>')",
    ),
    ("- Step:\n  ```python\n  if a:\n      b\n  ```", "if a:\n    b"),
    ("```python\r\nprint(1)\r\n```\r\n", "print(1)"),
    ("```python\nprint(1)\n```   \n", "print(1)"),
    ("```python\n\n\nprint(1)\n```", "\n\nprint(1)"),
    ("```\n| a | b |\n```\n```python\nprint(2)\n```", "print(2)"),
    ("```json\n{}\n```\n```python\nprint(2)\n```", "print(2)"),
    ("```python\nprint('<think>')\n```", "print('<think>')"),
    ("```python\nprint(1)\n``` ```\n```", "print(1)\n``` ```"),
    ("Gemini says\n```tool_code\nprint(1)\n```", "print(1)"),
    ("<think>hm ```python\nno\n```</think>```python\nyes\n```", "yes"),
    (
        '```python\nreadme = """\n```bash\nls\n```\n"""\n```\nThen:\n```\nb\n```',
        'readme = """\n```bash\nls\n```\n"""',
    ),
    ("```python\na = (\n```\nOr:\n```python\nb\n```", "a = ("),
    ('```python\na = """\n```\nOr:\n```text\nb\n```', 'a = """'),
    ("a ~~struck~~ word\n```python\nx = '~~~'\n```", "x = '~~~'"),
    ("```python3.11\nprint(1)\n```", "print(1)"),
    ("```py3.12 title=a.py\nprint(1)\n```", "print(1)"),
    ("I look.\n```Jupyter\nprint(1)\n```", "print(1)"),
    ("```{code-cell} ipython3\nprint(1)\n```", "print(1)"),
    ("```python\nif 1 &lt; 2:\n    print(&quot;a&quot;)\n```", 'if 1 < 2:\n    print("a")'),
    ("```python\nprint('a &lt; b')\n```", "print('a &lt; b')"),
    ("```python\n!echo 'a &amp; b'\n```", "!echo 'a &amp; b'"),
]


def test_fenced_code_is_found(subtests: pytest.Subtests) -> None:
    for text, code in RUN:
        with subtests.test(text=text, code=code):
            action = fenced(text)
            assert (action.status, action.code) == (StepStatus.OK, code)


ANSWERS = [
    "The total is 42.",
    "It is `print(1)` that I used.",
    "The table:\n```json\n{}\n```",
    "```text\nTotal: 3\n```",
    "```csv\na,b\n```",
    "I saw this:\n```pycon\n>>> 1 + 1\n2\n```",
    "Use ``` sparingly.",
    "```\nThe total is 42.\n```",
    "```\n42\n```",
    "It is:\n\n```\n  - 3 files (all read)\n  - 42 lines\n```",
    "```\n-1.5, 2\n```",
    "```\nTotal: 42 €\n```",
    "Ein Ergebnis: 42 €, 你好",
]


def test_a_reply_without_code_is_the_final_answer(subtests: pytest.Subtests) -> None:
    for text in ANSWERS:
        with subtests.test(text=text):
            action = fenced(text)
            assert (action.status, action.answer, action.code) == (StepStatus.ANSWER, text, None)


MALFORMED = [
    ("```python\nprint(1)", "never closed"),
    ("```python\nprint(1)\n~~~", "never closed"),
    ("````python\nprint(1)\n```", "never closed"),
    ("```python\n```", "empty"),
    ("```python\n   \n```", "empty"),
    ("```bash\nls\n```", "not bash"),
    ("```R\nprint(1)\n```", "not r"),
    ("", "neither code nor an answer"),
    ("  \n ", "neither code nor an answer"),
    ("<think>so much to think about", "neither code nor an answer"),
    ("<think>all of it</think>", "neither code nor an answer"),
    (f"{START}\nprint(1)\n{END}", "```python"),
]


def test_what_cannot_be_read_is_explained(subtests: pytest.Subtests) -> None:
    for text, complaint in MALFORMED:
        with subtests.test(text=text, complaint=complaint):
            action = fenced(text)
            assert (action.status, action.code, action.answer) == (StepStatus.MALFORMED, None, None)
            assert complaint in action.complaint


def test_other_blocks_are_noted() -> None:
    text = "```python\na\n```\n```python\nb\n```\n```bash\nc\n```\n```json\n{}\n```"
    assert fenced(text).notes == ("2 more code blocks were not run",)


def test_a_cut_reply_says_so() -> None:
    assert "length limit" in fenced("```python\nprint(", "length").complaint
    assert fenced("```python\nprint(", "length").notes == ("reply cut by length",)
    assert fenced("The answer is", "length").status == StepStatus.MALFORMED
    whole = fenced("```python\nprint(1)\n```\nand th", "length")
    assert (whole.status, whole.notes) == (StepStatus.OK, ("reply cut by length",))


@pytest.mark.parametrize("action_format", [FENCED, MARKERS, TOOLS])
def test_answer_of_which_a_filter_left_half_is_none(action_format: ActionFormat) -> None:
    action = read(ModelReply("The total is", finish_reason="content_filter"), action_format)
    assert (action.status, action.answer) == (StepStatus.MALFORMED, None)
    assert action.complaint.startswith("A content filter withheld the rest")
    assert action.notes == ("the endpoint's content filter withheld the reply",)


THOUGHTS = [
    ("<think>deep</think>Done.", "deep", "Done."),
    ("<Thinking>deep</Thinking>\nDone.", "deep", "Done."),
    ("deep</think>\nDone.", "deep", "Done."),
    ("deep\n</think>Done.", "deep", "Done."),
    ("<think>a</think>Half\n<think>b</think>done.", "a\n\nb", "Half\ndone."),
    ("Done. <think>", "", "Done. <think>"),
    ("Closed by '</think>'.", "", "Closed by '</think>'."),
]


def test_reasoning_is_no_part_of_the_answer(subtests: pytest.Subtests) -> None:
    for text, thought, answer in THOUGHTS:
        with subtests.test(text=text, thought=thought, answer=answer):
            action = fenced(text)
            assert (action.thought, action.answer, action.spoken) == (thought, answer, answer)


def test_reasoning_beside_the_text_is_kept_as_thought() -> None:
    action = read(ModelReply("Look.\n```python\n1\n```", reasoning="Hm."), FENCED)
    assert action.thought == "Hm.\n\nLook."


@pytest.mark.parametrize(
    "text", ["<think>" * 200_000, "```python\n" * 100_000, "~~~ " * 500_000, "```\n" * 100_000]
)
def test_megabytes_of_tags_are_read_in_one_pass(text: str) -> None:
    assert fenced(text).status in (StepStatus.MALFORMED, StepStatus.ANSWER)


def test_blocks_know_where_they_are() -> None:
    text = "a\n```python\nb\n```\nc\n"
    (block,) = find_blocks(text)
    assert text[block.start : block.end] == "```python\nb\n```\n"


def marked(text: str, finish_reason: str = "stop") -> Action:
    return read(ModelReply(text, finish_reason=finish_reason), MARKERS)


MARKED = [
    (f"Look.\n{START}\nprint(1)\n{END}", "print(1)"),
    (f"{START}print(1){END}", "print(1)"),
    (f"{START}\n```python\nprint(1)\n```\n{END}", "print(1)"),
    (f"{START}\n```python\nprint(1)\n{END}", "print(1)"),
    (f"{START}\nprint(1)\n", "print(1)"),
    (f"{START}\nprint(&#39;a&#39;)\n{END}", "print('a')"),
    (f"Between `{START}` and the end:\n{START}print(1){END}", "print(1)"),
]


def test_marked_code_is_found(subtests: pytest.Subtests) -> None:
    for text, code in MARKED:
        with subtests.test(text=text, code=code):
            action = marked(text)
            assert (action.status, action.code) == (StepStatus.OK, code)
            assert action.spoken.endswith(END)


UNMARKED = [
    (f"{START}\nprint(1)", "length", "end marker is missing"),
    (f"{START}\n{END}", "stop", "There is no code"),
    ("```python\nprint(1)\n```", "stop", "not marked"),
]


@pytest.mark.parametrize(("text", "finish", "complaint"), UNMARKED)
def test_broken_markers_are_explained(text: str, finish: str, complaint: str) -> None:
    action = marked(text, finish)
    assert action.status == StepStatus.MALFORMED
    assert complaint in action.complaint


def test_quoted_markers_are_part_of_the_answer(subtests: pytest.Subtests) -> None:
    for action_format in [MARKERS, ActionFormat.FENCED]:
        for text in [
            f"I used `{START}` earlier; the answer is 42.",
            f'It is 42. Code stood between "{START}" and "{END}".',
            f"答案是 42。代码在“{START}”之后。",
        ]:
            with subtests.test(action_format=action_format, text=text):
                action = read(ModelReply(text, finish_reason="stop"), action_format)
                assert (action.status, action.answer) == (StepStatus.ANSWER, text)


def test_markers_end_with_an_answer() -> None:
    assert marked("It is 42.").answer == "It is 42."
    assert marked(f"{START}a{END}{START}b{END}").notes == ("1 more code block was not run",)


def call(arguments: str, name: str = "execute_python", call_id: str = "c1") -> ToolCall:
    return ToolCall(call_id, name, arguments)


def tools(*calls: ToolCall, text: str = "") -> tuple[ModelReply, Action]:
    reply = ModelReply(text, tool_calls=calls, finish_reason="tool_calls")
    return reply, read(reply, TOOLS)


def test_a_tool_call_is_run_and_answered() -> None:
    reply, action = tools(call('{"code": "print(1)\\n"}'), text="I look.")
    assert (action.code, action.thought) == ("print(1)\n", "I look.")
    assert told(reply, action, "1") == [{"role": "tool", "tool_call_id": "c1", "content": "1"}]
    assert said(reply, action)["tool_calls"] == [
        {"id": "c1", "type": "function",
         "function": {"name": "execute_python", "arguments": '{"code": "print(1)\\n"}'}}
    ]  # fmt: skip


def test_raw_line_breaks_in_arguments_are_forgiven() -> None:
    _, action = tools(call('{"code": "a\nb"}'))
    assert action.code == "a\nb"


ODD_ARGUMENTS = {
    "encoded twice": json.dumps('{"code": "a"}'),
    "behind an empty object": '{}{"code": "a"}',
    "twice": '{"code": "a"}{"code": "a"}',
    "a token behind them": '{"code": "a"}<|call|>',
    "a token and blanks behind them": ' {"code": "a"}\n<|im_end|>\n',
    "two tokens behind them": '{"code": "a"}</tool_call></s>',
    "Python's quotes": "{'code': 'a'}\n",
    "code in a fence": json.dumps({"code": "```python\na\n```"}),
    "code in a bare fence": json.dumps({"code": "```\na\n```\n"}),
    "code as a text of XML": json.dumps({"code": "<![CDATA[a]]>"}),
    "a last comma": '{"code": "a",}',
}


def test_arguments_that_a_server_damaged_are_read(subtests: pytest.Subtests) -> None:
    for name, arguments in ODD_ARGUMENTS.items():
        with subtests.test(name):
            reply, action = tools(call(arguments))
            assert (action.status, action.code) == (StepStatus.OK, "a")
            sent = said(reply, action)["tool_calls"][0]["function"]["arguments"]  # type: ignore[index]
            assert "a" in json.loads(sent)["code"]


@pytest.mark.parametrize("arguments", ["print(1)", "```python\nprint(1)\n```"])
def test_plain_code_in_the_place_of_arguments_is_run_unless_it_is_cut(arguments: str) -> None:
    reply, action = tools(call(arguments))
    assert (action.status, action.code) == (StepStatus.OK, "print(1)")
    sent = said(reply, action)["tool_calls"][0]["function"]["arguments"]  # type: ignore[index]
    assert json.loads(sent) == {"code": "print(1)"}
    cut = read(ModelReply(tool_calls=(call(arguments),), finish_reason="length"), TOOLS)
    assert (cut.status, cut.code) == (StepStatus.MALFORMED, None)


@pytest.mark.parametrize("reason", ["tool_calls", "MALFORMED_FUNCTION_CALL"])
def test_call_that_the_endpoint_lost_is_named(reason: str) -> None:
    action = read(ModelReply(finish_reason=reason), TOOLS)
    assert (action.status, action.complaint[:18]) == (StepStatus.MALFORMED, "No tool call came.")
    assert action.notes == ("the endpoint says that the reply is a tool call, but none came",)


BAD_CALLS = [
    (call('{"code": "1"}{"code": "2"}'), "not valid JSON"),
    (call('{"code": "1"} and so on'), "not valid JSON"),
    (call("{}" * 9), "not valid JSON"),
    (call('"{"'), "not valid JSON"),
    (call("I print it."), "not valid JSON"),
    (call("print(1"), "not valid JSON"),
    (call('{"code": print(1)}'), "not valid JSON"),
    (call("print(1)", name="python"), "no tool called “python”"),
    (call("[" * 100_000), "not valid JSON"),
    (call('{"source": "1"}'), "missing or empty"),
    (call('{"code": 1}'), "is not a string"),
    (call('{"code": ["print(1)"]}'), "is not a string"),
    (call('{"code": null}'), "missing or empty"),
    (call('{"code": " "}'), "missing or empty"),
    (call("[]"), "missing or empty"),
    (call('{"code": "1"}', name="python"), "no tool called “python”"),
]


def test_a_bad_call_is_answered_so_that_the_talk_stays_valid(subtests: pytest.Subtests) -> None:
    for bad, complaint in BAD_CALLS:
        with subtests.test(bad=bad, complaint=complaint):
            reply, action = tools(bad)
            assert action.status == StepStatus.MALFORMED
            assert complaint in action.complaint
            assert told(reply, action, action.complaint) == [
                {"role": "tool", "tool_call_id": "c1", "content": action.complaint}
            ]
            sent = said(reply, action)["tool_calls"]
            assert isinstance(sent, list)
            assert isinstance(json.loads(sent[0]["function"]["arguments"]), dict)


def test_every_call_is_answered_and_the_first_good_one_run() -> None:
    reply, action = tools(
        call("{}", call_id="c1"),
        call('{"code": "2"}', call_id="c2"),
        call('{"code": "3"}', call_id="c3"),
    )
    assert (action.code, action.notes) == ("2", ("1 more tool call was not run",))
    answers = told(reply, action, "seen")
    assert [a["tool_call_id"] for a in answers] == ["c1", "c2", "c3"]
    assert answers[1]["content"] == "seen"
    assert "Not run" in str(answers[2]["content"])


def test_text_without_a_call_is_the_answer_though_it_shows_code() -> None:
    _, action = tools(text="I used\n```python\n1\n```")
    assert action.status == StepStatus.ANSWER


def test_an_empty_reply_is_sent_back_as_something() -> None:
    reply = ModelReply("")
    action = read(reply, TOOLS)
    assert action.status == StepStatus.MALFORMED
    assert said(reply, action)["content"]
    assert told(reply, action, "[empty]") == [{"role": "user", "content": "[empty]"}]


def test_calls_that_were_not_offered_are_not_run() -> None:
    for action_format, use in ((FENCED, "```python"), (MARKERS, START)):
        action = read(ModelReply("", tool_calls=(call('{"code": "1"}'),)), action_format)
        assert action.status == StepStatus.MALFORMED
        assert action.complaint.startswith("No tools are offered here.")
        assert use in action.complaint
