"""Names of models that a list holds: what is shown of a hostile one, and the nearest to a slip."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from conftest import served
from runner.contract import EndpointSpec
from runner.preflight.look import EndpointLook
from runner.preflight.probe import preflight
from runner.preflight.report import MOST_KEPT, as_json, find_nearest, judge, list_readable
from runner.scripted.server import ScriptedServer

OWN = ("openai/gpt-4o", "openai/gpt-4o-mini", "mistral-small", "llama-3.1-8b-instruct")


@pytest.mark.parametrize(
    ("wanted", "first"),
    [
        ("gpt-4o", "openai/gpt-4o"),
        ("GPT-4o-mini", "openai/gpt-4o-mini"),
        ("mistral-smal", "mistral-small"),
        ("llama3.1-8b", "llama-3.1-8b-instruct"),
    ],
)
def test_slip_of_the_pen_finds_its_name(wanted: str, first: str) -> None:
    assert find_nearest(wanted, OWN)[0] == first


def test_name_like_no_other_finds_nothing() -> None:
    assert find_nearest("zzzzzz", OWN) == ()
    assert find_nearest("anything", ()) == ()


def test_hostile_names_are_left_out() -> None:
    hostile = ["a\u202eb", "a\nb", "\x1b[2J", "", " ", "n" * 201, "\ud800"]
    assert list_readable([*hostile, "<b>good</b>"]) == ("<b>good</b>",)
    assert len(list_readable(f"m{n}" for n in range(20_000))) == MOST_KEPT


def test_names_made_to_be_compared_slowly_are_cheap() -> None:
    names = [("ab" * 97 + f"{n:05}") for n in range(20_000)]
    began_s = time.process_time()
    find_nearest("ba" * 98, names)
    assert time.process_time() - began_s < 5  # all of them in full: minutes


async def test_endpoint_without_a_model_name_is_asked_for_its_list() -> None:
    with served(ScriptedServer()) as server:
        report = as_json(await preflight(EndpointSpec(server.base_url, ""), None))
    assert report["listed"] == sorted(server.models)
    assert [check["name"] for check in report["checks"]] == ["reachable", "authorised", "models"]
    assert report["measures"]["turns"] == 0


def test_wrong_name_is_told_the_nearest() -> None:
    spec, look = EndpointSpec("http://127.0.0.1:8001/v1", "mistral-smal"), EndpointLook(0.0)
    [*_, check] = judge(spec, frozenset([*OWN, "a\u202eb"]), look, has_kernel=True)[:2]
    assert check.next_step == "Did you mean “mistral-small”?"
    far = judge(replace(spec, model="zzzz"), frozenset(["a\u202eb", "small"]), look, True)[1]
    assert far.next_step == "It lists small."
