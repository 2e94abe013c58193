"""Parts of a request that an endpoint refuses: left out, and named."""

from __future__ import annotations

import time

import pytest

from runner.contract import ActionFormat, EndpointSpec
from runner.endpoint.client import EndpointClient, is_role_refused
from runner.endpoint.http import open_http
from runner.preflight.look import EndpointLook
from runner.preflight.report import judge
from runner.tests.support.endpoint_server import completion, misbehaving, said, status

TALK = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"}]


@pytest.mark.parametrize(
    "words",
    [
        "System role not supported",
        "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        "The system role is not supported by this model",
        "System messages are not allowed for this model",
    ],
)
async def test_refused_system_role_goes_to_the_head_of_the_first_question(words: str) -> None:
    with misbehaving(status(400, words), completion("hi")) as server:
        spec = EndpointSpec(server.base_url, "m", stream=False)
        async with open_http() as http:
            chat = EndpointClient(spec, http)
            assert (await chat.reply(TALK, 60)).text == "hi"
            await chat.reply(TALK, 60)
    merged = [{"role": "user", "content": "Be brief.\n\nHello"}]
    assert [body["messages"] for body in server.bodies] == [TALK, merged, merged]
    assert chat.left_out == ["the system role"]


async def test_server_error_of_a_chat_template_leaves_the_role_out() -> None:
    words = "Jinja Exception: System role not supported"
    with misbehaving(status(500, words), completion("hi")) as server:
        spec = EndpointSpec(server.base_url, "m", stream=False)
        async with open_http() as http:
            assert (await EndpointClient(spec, http).reply(TALK, 60)).text == "hi"
    assert [len(body["messages"]) for body in server.bodies] == [2, 1]


def test_refusals_of_templates_and_providers_are_known(subtests: pytest.Subtests) -> None:
    for words in [
        "Developer instruction is not enabled for models/gemma-3-27b-it",
        "Conversation roles must alternate user/assistant/user/assistant/...",
        "Only user and assistant roles are supported!",
        "Unexpected role 'system'",
        "Invalid value: 'system'. Supported values are: 'user' and 'assistant'.",
        "This model doesn't support system messages",
        "System prompt is not supported by this model",
    ]:
        with subtests.test(words=words):
            assert is_role_refused(words, {"messages": TALK})


@pytest.mark.parametrize(
    "words",
    [
        "The file system is full",
        "role must be one of user",
        "unsupported parameter: stop",
        "After the optional system message, conversation roles must alternate user/assistant/...",
    ],
)
def test_other_refusals_keep_the_system_role(words: str) -> None:
    assert not is_role_refused(words, {"messages": TALK})


def test_conversation_without_a_system_message_has_none_to_leave_out() -> None:
    assert not is_role_refused("System role not supported", {"messages": TALK[1:]})


async def test_refused_stream_options_are_left_out_and_named() -> None:
    refusal = status(400, "Unrecognized request argument supplied: stream_options")
    with misbehaving(refusal, said("hi")) as server:
        async with open_http() as http:
            chat = EndpointClient(EndpointSpec(server.base_url, "m"), http)
            assert (await chat.reply(TALK, 60)).text == "hi"
    assert "stream_options" in server.bodies[0]
    assert "stream_options" not in server.bodies[1]
    assert chat.left_out == ["stream_options"]


STOP_REFUSED = {
    "OpenAI": (400, "Unsupported parameter: 'stop' is not supported with this model."),
    "xAI": (400, "Argument not supported on this model: stop"),
    "FastAPI": (422, '{"loc": ["body", "stop"], "msg": "Extra inputs are not permitted"}'),
}


@pytest.mark.parametrize(("code", "words"), STOP_REFUSED.values(), ids=STOP_REFUSED)
async def test_refused_stop_sequence_is_left_out_and_named(code: int, words: str) -> None:
    with misbehaving(status(code, words), said("hi")) as server:
        async with open_http() as http:
            spec = EndpointSpec(server.base_url, "m", action_format=ActionFormat.MARKERS)
            chat = EndpointClient(spec, http)
            assert (await chat.reply(TALK, 60)).text == "hi"
    assert ["stop" in body for body in server.bodies] == [True, False]
    assert chat.left_out == ["stop sequences"]


def test_preflight_names_what_is_left_out() -> None:
    look = EndpointLook(time.monotonic() + 60)
    look.has_answered, look.left_out = True, ["stream_options", "the system role"]
    checks = judge(EndpointSpec("http://127.0.0.1:9/v1", "m"), None, look, has_kernel=True)
    [check] = [check for check in checks if check.name == "left_out"]
    assert check.said.startswith("The endpoint refuses stream_options and the system role;")
