"""Idempotency-Key: a request that is sent twice acts once, and gets the same answer twice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TypeVar

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.accounts import kept_answers
from leaderboard.accounts.kept_answers import SavedAnswer
from leaderboard.api.json_io import JsonRenderer
from runner.contract import Fault, Problem, ProblemError

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEY = re.compile(r"[\x21-\x7e]{1,255}")

R = TypeVar("R")

BAD_KEY = Problem(
    Fault.SUBMITTER,
    "bad_idempotency_key",
    f"The header {HEADER} is empty, too long or has other than printable ASCII.",
    "Send 1 to 255 characters that you use for one request alone, such as a UUID.",
)
REUSED = Problem(
    Fault.SUBMITTER,
    "idempotency_key_reused",
    f"This {HEADER} was used within the last 24 hours for a request with another body.",
    "Send a new key with a new request, or the old body to get the old answer.",
)
UNDER_WAY = Problem(
    Fault.SUBMITTER,
    "idempotency_key_under_way",
    f"The first request with this {HEADER} is still in progress.",
    "Send it again in a few seconds to get its answer.",
)
PARAMETER = OpenApiParameter(
    HEADER,
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[\x21-\x7e]+$"},
    OpenApiParameter.HEADER,
    description="A key of your own for this request. Sent again within 24 hours with the same "
    "body, the request does nothing and gets the same answer; with another body it is refused.",
)


def answer_once(user_id: int, request: Request, act: Callable[[], Response]) -> HttpResponseBase:
    """The answer of `act`, or the one that an earlier request with the same key got.

    With a key, `act` is done within a transaction.
    """
    return prepare_and_answer_once(user_id, request, lambda: None, lambda _: act())


def prepare_and_answer_once(
    user_id: int, request: Request, prepare: Callable[[], R], act: Callable[[R], Response]
) -> HttpResponseBase:
    """As `answer_once`, where `act` needs what `prepare` returns, outside of any transaction."""
    key = read_key(request)
    if key is None:
        return act(prepare())
    digest = digest_of(request)
    kept = kept_answers.find(user_id, key)
    if kept is None:
        ready = prepare()
        answer = kept_answers.act_once(user_id, key, digest, lambda: with_copy(act(ready)))
        if answer is not None:
            return answer
        kept = kept_answers.find(user_id, key)
    if kept is not None and kept.request_digest != digest:
        raise ProblemError(REUSED)
    if kept is None or not kept.status:
        raise ProblemError(UNDER_WAY)
    return answer_again(kept_answers.read(kept))


def read_key(request: Request) -> str | None:
    """The key, with or without quotation marks around it; None without the header."""
    text = request.headers.get(HEADER)
    if text is None:
        return None
    key = text.strip()
    if len(key) > 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not KEY.fullmatch(key):
        raise ProblemError(BAD_KEY)
    return key


def digest_of(request: Request) -> str:
    """Digest of method, address and body, whatever order the body's fields came in."""
    try:
        body = json.dumps(request.data, sort_keys=True)
    except RecursionError:
        raise ParseError from None
    said = f"{request.method} {request.get_full_path()}\n{body}"
    return salted_hmac(HEADER, said, algorithm="sha256").hexdigest()


def with_copy(response: Response) -> tuple[Response, SavedAnswer]:
    body = JsonRenderer().render(response.data)
    return response, SavedAnswer(response.status_code, response.get("Location", ""), body)


def answer_again(saved: SavedAnswer) -> HttpResponse:
    response = HttpResponse(saved.body, status=saved.status, content_type=JsonRenderer.media_type)
    response[REPLAYED] = "true"
    if saved.location:
        response["Location"] = saved.location
    return response
