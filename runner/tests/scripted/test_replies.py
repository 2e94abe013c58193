"""Scripted models over a real HTTP server, asked through the official client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest

from conftest import served
from runner.scripted.replies import Catalogue, Recorded, query_pattern
from runner.scripted.server import LiveCatalogue, ScriptedServer, read_recorded
from runner.suite.reader import Suite, load_suite
from runner.tests.support.tiny_suite import write_suite

ASKED = "Add 20 and 22.\n\nThere are no files."
TOOL: Any = {"type": "function", "function": {"name": "execute_python", "parameters": {}}}


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load_suite("tiny", write_suite(tmp_path))


@pytest.fixture
def server(suite: Suite) -> Iterator[ScriptedServer]:
    recorded = Recorded(
        [{"user": "Old query", "messages": [{"role": "assistant", "content": "A"}]}]
    )
    with served(ScriptedServer(catalogue=Catalogue([suite]), recorded=recorded)) as server:
        yield server


@pytest.fixture
def client(server: ScriptedServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client:
        yield client


def talk(*said: tuple[str, str], system: str = "Use fenced blocks.") -> Any:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": ASKED}]
    return messages + [{"role": role, "content": content} for role, content in said]


def ask(client: openai.OpenAI, model: str, messages: Any, **more: Any) -> Any:
    return client.chat.completions.create(model=model, messages=messages, **more)


def test_lists_its_models(client: openai.OpenAI) -> None:
    names = [model.id for model in client.models.list()]
    assert set(names) == {
        "reference", "clumsy", "silent", "empty-file", "keyword-stuffer", "confident-liar",
        "junk-file", "copy-the-input", "stuffer-with-junk", "keyword-salad", "recorded",
    }  # fmt: skip


def test_reference_plays_cells_then_answers_from_what_was_printed(client: openai.OpenAI) -> None:
    first = ask(client, "reference", talk()).choices[0]
    assert "```python\nprint('total:', 20 + 22)\n```" in first.message.content
    said = talk(("assistant", first.message.content), ("user", "total: 42"))
    last = ask(client, "reference", said).choices[0]
    assert last.message.content == "The sum is 42."
    assert last.finish_reason == "stop"


def test_speaks_markers_when_the_instructions_show_them(client: openai.OpenAI) -> None:
    messages = talk(system="Write <|execute_start|> code <|execute_end|>.")
    content = ask(client, "reference", messages).choices[0].message.content
    assert content.endswith("<|execute_start|>\nprint('total:', 20 + 22)\n<|execute_end|>")


def test_calls_the_tool_when_tools_are_offered(client: openai.OpenAI) -> None:
    choice = ask(client, "reference", talk(), tools=[TOOL]).choices[0]
    assert choice.finish_reason == "tool_calls"
    call = choice.message.tool_calls[0].function
    assert call.name == "execute_python"
    assert json.loads(call.arguments) == {"code": "print('total:', 20 + 22)"}


def test_streams_the_same_words_and_the_usage(client: openai.OpenAI) -> None:
    whole = ask(client, "reference", talk())
    options = {"include_usage": True}
    parts = list(ask(client, "reference", talk(), stream=True, stream_options=options))
    text = "".join(p.choices[0].delta.content or "" for p in parts if p.choices)
    assert text == whole.choices[0].message.content
    assert parts[-1].usage.completion_tokens == whole.usage.completion_tokens > 5
    assert [p.choices[0].finish_reason for p in parts if p.choices][-1] == "stop"


@pytest.mark.parametrize("model", ["silent", "keyword-stuffer", "confident-liar"])
def test_idle_models_send_no_code(client: openai.OpenAI, model: str) -> None:
    content = ask(client, model, talk()).choices[0].message.content
    assert content
    assert "```" not in content


def test_empty_file_touches_the_asked_for_names(client: openai.OpenAI) -> None:
    content = ask(client, "empty-file", talk()).choices[0].message.content
    assert '"sum.txt"' in content
    assert ".touch()" in content


def test_junk_and_copies_are_files_under_the_asked_for_names(client: openai.OpenAI) -> None:
    junk = ask(client, "junk-file", talk()).choices[0].message.content
    assert 'NAMES = ["sum.txt"]' in junk
    assert "shutil.copyfile" in ask(client, "copy-the-input", talk()).choices[0].message.content
    told = talk(("assistant", junk), ("user", "(no output)"))
    assert ask(client, "junk-file", told).choices[0].message.content.startswith("The files have")
    stuffed = ask(client, "stuffer-with-junk", told).choices[0].message.content
    assert "198 199 200" in stuffed


def test_clumsy_errs_first_and_quotes_the_interpreter(client: openai.OpenAI) -> None:
    first = ask(client, "clumsy", talk()).choices[0].message.content
    assert "compute_answer()" in first
    error = "NameError: name 'compute_answer' is not defined"
    second = ask(client, "clumsy", talk(("assistant", first), ("user", error)))
    assert error in second.choices[0].message.content


def test_recorded_replays_in_order_and_then_ends(client: openai.OpenAI) -> None:
    messages: Any = [{"role": "user", "content": "Old query"}]
    assert ask(client, "recorded", messages).choices[0].message.content == "A"
    messages += [{"role": "assistant", "content": "A"}, {"role": "user", "content": "ok"}]
    assert ask(client, "recorded", messages).choices[0].message.content == "Finished."


def test_reads_a_recorded_file(tmp_path: Path) -> None:
    row = {"user": " q ", "messages": [{"role": "assistant", "content": "A"}]}
    (tmp_path / "r.jsonl").write_text(json.dumps(row) + "\n\n")
    assert read_recorded(tmp_path / "r.jsonl").replies == {"q": ["A"]}


def test_unknown_model_is_a_404_that_names_the_known(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="Models: clumsy|Models: reference"):
        ask(client, "gpt-9", talk())


def test_unknown_query_is_a_400(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError, match="only know the suites' queries"):
        ask(client, "reference", [{"role": "user", "content": "Sing."}])


def test_a_suite_that_came_later_is_known_without_a_restart(suite: Suite) -> None:
    suites: list[Suite] = []
    now_s = [0.0]
    live = LiveCatalogue(lambda: suites, lambda: now_s[0])
    assert live.recognise(talk()) is None
    suites.append(suite)
    assert live.recognise(talk()) is None  # read a moment ago
    now_s[0] = 3.0
    found = live.recognise(talk())
    assert found is not None
    assert found.task in suite.tasks


def test_malformed_bodies_are_refused(server: ScriptedServer) -> None:
    with openai.OpenAI(base_url=server.base_url, api_key="x", max_retries=0) as client:
        for body in ({"model": "reference"}, {"model": "reference", "messages": ["text"]}):
            with pytest.raises(openai.BadRequestError, match="list of messages"):
                client.post("/chat/completions", body=body, cast_to=object)


def test_a_query_is_found_with_its_parameters() -> None:
    found = query_pattern("Take «n» of «what», then «n» more.").search(
        "Take 3 of red apples, then 3 more.\nFiles: none"
    )
    assert found is not None
    assert found.groupdict() == {"n": "3", "what": "red apples"}
    assert query_pattern("Take «n», then «n».").search("Take 3, then 4.") is None
