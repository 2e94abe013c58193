"""Probes that cost tokens: the context length and a burst, against servers of known limits."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

import pytest

from runner.cli.probes import look_at
from runner.contract import EndpointSpec
from runner.preflight.asked_probes import BURST, Probe, read_stated
from runner.preflight.checks import Check, State
from runner.preflight.probe import preflight
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_server import Answer, Handler, completion, misbehaving, status


def words_in(handler: Handler) -> int:
    return sum(len(str(message["content"]).split()) for message in handler.body["messages"])


def limited_to(tokens: int, refusal: str, headers: Mapping[str, str] | None = None) -> Answer:
    """A server for which a word is a token, with so many at most."""

    def answer(handler: Handler) -> None:
        asked = words_in(handler)
        if asked > tokens:
            status(400, refusal.format(asked=asked), headers)(handler)
        else:
            completion("ok", usage={"prompt_tokens": asked, "completion_tokens": 1})(handler)

    return answer


def cutting_at(tokens: int) -> Answer:
    def answer(handler: Handler) -> None:
        taken = min(words_in(handler), tokens)
        completion("ok", usage={"prompt_tokens": taken, "completion_tokens": 1})(handler)

    return answer


async def probe(answer: Answer, wanted: Probe) -> tuple[Check, int]:
    """The check, and the number of requests that it took."""
    with misbehaving(answer) as server:
        [check] = await look_at(EndpointSpec(server.base_url, "m"), [wanted])
        count = len(server.bodies)
    return check, count


@pytest.mark.parametrize(
    ("answer", "state", "words", "requests"),
    [
        (limited_to(100_000, ""), State.OK, "tokens was taken whole.", 2),
        (
            limited_to(4096, "This model's maximum context length is 4096 tokens. However, "
                       "you requested {asked} tokens. Please reduce the length of the messages."),
            State.WARNING, "the endpoint states a context of 4,096 tokens", 2,
        ),
        (
            limited_to(5000, "The prompt is longer than the context length."),
            State.WARNING, "of about 4,096 tokens was taken, one of 8,192 refused", 4,
        ),
        (
            limited_to(300, "The prompt is longer than the context length."),
            State.WARNING, "tokens and more were refused as too long", 6,
        ),
        (cutting_at(2048), State.WARNING, "was cut to 2,048 without a word", 2),
        (completion("ok"), State.OK, "tokens was taken.", 2),
        (status(401, "expired"), State.UNSEEN, "The probe was not answered: ", 1),
    ],
    ids=["long", "stated", "unstated", "tiny", "cut", "uncounted", "refused"],
)  # fmt: skip
async def test_context_probe_says_what_a_long_prompt_met(
    answer: Answer, state: State, words: str, requests: int
) -> None:
    check, count = await probe(answer, Probe.CONTEXT)
    assert words in check.said
    assert check.state is state
    assert count == requests


@pytest.mark.parametrize(
    ("said", "tokens"),
    [
        ("This model's maximum context length is 8192 tokens. However, you requested 9", 8192),
        ("prompt is too long: 208310 tokens > 200000 maximum", 200_000),
        ("exceeds the available context size (4096 tokens), try increasing it", 4096),
        ("Requested tokens (16412) exceed context window of 512", 512),
        ("n_ctx: 32,768", 32_768),
        ("context length exceeded", None),
        ("context length 12", None),
        ("context length " + "9" * 4000, None),
        ("context window" * 10_000, None),
    ],
)
def test_stated_length_is_read_from_refusals_of_many_servers(said: str, tokens: int | None) -> None:
    began_s = time.process_time()
    assert read_stated(said) == tokens
    assert time.process_time() - began_s < 5


def at_most(places: int, refusal: Answer) -> Answer:
    """A server that refuses for good once it got more requests than it has places."""
    lock, seen = threading.Lock(), [0]

    def answer(handler: Handler) -> None:
        with lock:
            seen[0] += 1
            has_place = seen[0] <= places
        (completion("ok") if has_place else refusal)(handler)

    return answer


async def test_burst_counts_refusals_without_asking_again() -> None:
    limited = status(429, "slow down", {"Retry-After": "7"})
    check, count = await probe(at_most(3, limited), Probe.BURST)
    assert check.said == "5 of 8 requests at once were refused (429), asking to wait 7 s."
    assert check.next_step.startswith("Choose at most 3 in parallel;")
    assert check.state is State.WARNING
    assert count == BURST


async def test_burst_is_sent_at_once() -> None:
    meeting = threading.Barrier(BURST)

    def together(handler: Handler) -> None:
        meeting.wait(120)
        completion("ok")(handler)

    check, count = await probe(together, Probe.BURST)
    assert (check.state, check.said) == (State.OK, "All 8 requests at once were answered.")
    assert count == BURST


async def test_burst_names_other_failures() -> None:
    check, _ = await probe(status(500, "oops"), Probe.BURST)
    assert check.said.startswith("8 of 8 requests at once failed: ")


async def test_preflight_probes_only_when_asked() -> None:
    with misbehaving(limited_to(100_000, "")) as server:
        spec = EndpointSpec(server.base_url, "m")
        plain = await preflight(spec, None)
        before = len(server.bodies)
        report = await preflight(spec, None, probes=[Probe.CONTEXT, Probe.BURST])
        assert before == 0  # no kernel, no tiny task
        assert len(server.bodies) == 2 + BURST
    assert [check.name for check in plain.checks] == [
        check.name for check in report.checks if check.name not in ("context", "burst")
    ]
    assert [check.name for check in report.checks[-2:]] == ["context", "burst"]


async def test_probe_without_an_answer_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.preflight.asked_probes.PROBE_S", 1.0)
    check, _ = await probe(endpoint_server.silence, Probe.CONTEXT)
    assert check.state is State.UNSEEN
