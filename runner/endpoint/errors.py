"""Faults of a model endpoint, as problems with a next step."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx2

from runner.contract import EndpointSpec, Fault, Problem, ProblemError
from runner.endpoint.error_bodies import ErrorReport
from runner.endpoint.extras.extra_body import texts_of
from runner.endpoint.extras.extra_headers import secrets_of
from runner.endpoint.http import MAX_BODY_BYTES, BodyEncoded, BodyTooLarge
from runner.endpoint.refusal_words import (
    CONTEXT_FULL,
    FEW_TRIES,
    MANY_TRIES,
    ONE_TRY,
    ErrorKind,
    find_row,
)

QUOTED_CHARS = 300  # of what an endpoint says
READ_CHARS = 4_000  # of which that is taken
DAY_S = 86_400.0

UNPRINTABLE = re.compile(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\U0010ffff]")
HOST = re.compile(r"[\w.:-]+")
SENDABLE = re.compile(r"[\x21-\x7e]*")  # what a header can carry
SECONDS = re.compile(r"\d{1,18}(?:\.\d{1,6})?")
# In addition to RFC 9110: a failed generation (TGI), no capacity (Groq), given up (nginx).
MAY_CHANGE = (408, 409, 424, 425, 429, 498, 499)
NAMES_OF_MODELS = ("model", "deployment", "engine")  # in a 404: it is not the path that is unknown
BROKEN_OFF = (httpx2.ReadError, httpx2.WriteError)
WITHOUT_REPLY = "Server disconnected"  # the library's words for it
CUT_SHORT = "peer closed connection"  # and for a reply that ended too soon

BAD_URL = ErrorKind(
    "endpoint_bad_url",
    "The base URL is not an http or https address.",
    "Write it out, for example http://localhost:8000/v1.",
    ONE_TRY,
)
BAD_KEY = ErrorKind(
    "endpoint_bad_key",
    "The API key contains blanks, line breaks or letters outside ASCII.",
    "Copy the key again, without anything around it.",
    ONE_TRY,
)
BAD_REQUEST = ErrorKind(
    "endpoint_bad_request",
    "The endpoint refused the request ({status}){said}.",
    "Change or leave out the parameter that it names.",
    ONE_TRY,
)
REDIRECT = ErrorKind(
    "endpoint_redirect",
    "The endpoint redirects to {target} ({status}), which is not followed.",
    "Give the address that it redirects to as the base URL.",
    ONE_TRY,
)
UNKNOWN_MODEL = ErrorKind(
    "endpoint_unknown_model",
    "The endpoint does not know the model “{model}” (404).",
    "Give one of the names that {place}/models lists.",
    ONE_TRY,
)
NOT_FOUND = ErrorKind(
    "endpoint_not_found",
    "There is nothing at {place}/chat/completions ({status}){said}.",
    "Correct the base URL; it usually ends in /v1.",
    ONE_TRY,
)
SERVER_ERROR = ErrorKind(
    "endpoint_server_error",
    "The endpoint failed ({status}){said}.",
    "Look into the server's log, then try again.",
    MANY_TRIES,
)
HEARD = (BAD_REQUEST.code, SERVER_ERROR.code, CONTEXT_FULL)  # whose words decide what follows
OF_STATUS = {
    401: ErrorKind(
        "endpoint_unauthorised",
        "The endpoint {key} (401).",
        "Give a key that is valid for this endpoint.",
        ONE_TRY,
    ),
    403: ErrorKind(
        "endpoint_forbidden",
        "The endpoint does not allow this ({status}){said}.",
        "Check what the key and its account may use.",
        ONE_TRY,
    ),
    413: ErrorKind(  # without a word of tokens or context: what stands before the model wants less
        "endpoint_body_too_large",
        "The endpoint refused a request of this size ({status}){said}.",
        "Raise the size limit of the server, or of the proxy in front of it.",
        ONE_TRY,
    ),
    429: ErrorKind(
        "endpoint_rate_limited",
        "The endpoint limits the rate of requests (429){asked}.",
        "Lower the concurrency, or try again later.",
        MANY_TRIES,
    ),
}
TOO_LARGE = ErrorKind(
    "endpoint_too_large",
    f"The endpoint sent more than {MAX_BODY_BYTES >> 20} MiB in one reply.",
    "Limit the tokens per reply.",
    ONE_TRY,
)
COMPRESSED = ErrorKind(
    "endpoint_compressed",
    "The endpoint compresses its replies although the request forbids it.",
    "Switch compression off in the server or in the proxy in front of it.",
    ONE_TRY,
)
UNREACHABLE = ErrorKind(
    "endpoint_unreachable",
    "No connection to {place}: {reason}.",
    "Check the base URL, and that the server is running and can be reached from here.",
    FEW_TRIES,
)
UNRESOLVED = "endpoint_unresolved"  # the guard's word for a name service that is too slow
HUNG_UP = ErrorKind(
    "endpoint_cut_off",
    "{place} closed the connection without an HTTP reply.",
    "Look into the server's log; where the server wants TLS, the address begins with https://.",
    FEW_TRIES,
)
NOT_HTTP = ErrorKind(
    "endpoint_not_http",
    "The server at {place} does not speak valid HTTP.",
    "Check the port, and that the address begins with https:// where the server wants TLS.",
    ONE_TRY,
)
CUT_OFF = ErrorKind(
    "endpoint_cut_off",
    "The endpoint closed the connection in the middle of a reply.",
    "Look into the server's log, and at the time limits of any proxy in front of it.",
    FEW_TRIES,
)
GIVEN_UP = replace(CUT_OFF, what="The endpoint gave up a reply (finish reason “{reason}”).")
WEB_PAGE = ErrorKind(
    "endpoint_html",
    "The endpoint answered with a web page instead of JSON.",
    "Give the base URL of the API, which usually ends in /v1, not that of its web site.",
    ONE_TRY,
)
NO_JSON = ErrorKind(
    "endpoint_not_json",
    "The endpoint answered with something that is not JSON.",
    "Check that the base URL is that of an OpenAI-compatible API.",
    ONE_TRY,
)
NO_CHOICES = ErrorKind(
    "endpoint_no_choices",
    "The endpoint's answer holds no choices, and so no reply.",
    "Check that the base URL is that of an OpenAI-compatible API with chat completions.",
    FEW_TRIES,
)
TOO_SLOW = ErrorKind(
    "endpoint_timeout",
    "The endpoint did not finish a reply within {timeout_s:.0f} s.",
    "Use a faster server, a lower concurrency or fewer tokens per reply.",
    ONE_TRY,
)
SLOW_IN_ALL = replace(
    TOO_SLOW,
    code="endpoint_slow",
    what="Waiting for the replies of this attempt took {timeout_s:.0f} s, the limit.",
)


class EndpointError(ProblemError):
    """The endpoint did not give a reply. `tries` says how often asking is worth while."""

    def __init__(
        self,
        code: str,
        what: str,
        next_step: str,
        tries: int,
        retry_after_s: float | None = None,
        said: str = "",
    ) -> None:
        super().__init__(Problem(Fault.SUBMITTER, code, what, next_step))
        self.tries = tries
        self.retry_after_s = retry_after_s
        self.said = said  # by the endpoint, whole: never shown
        self.status = 0  # of HTTP, when there was one


class ContextFull(EndpointError):
    """The endpoint says that the conversation is longer than the model can read."""


def error_of(
    kind: ErrorKind,
    *,
    wait_s: float | None = None,
    heard: str = "",
    **names: object,
) -> EndpointError:
    """An error of this kind, its words filled in with `names`; `heard` is what was said, whole."""
    error = ContextFull if kind.code == CONTEXT_FULL else EndpointError
    what, next_step = kind.what.format(**names), kind.next_step.format(**names)
    return error(kind.code, what, next_step, kind.tries, wait_s, heard)


def place(spec: EndpointSpec) -> str:
    """Address of the endpoint, without any credentials written into it."""
    url = httpx2.URL(spec.base_url)
    return f"{url.scheme}://{url.netloc.decode('ascii')}{url.path.rstrip('/')}"


def redact(text: str, spec: EndpointSpec) -> str:
    """`text` without the key and the extra headers' values, should an endpoint repeat them."""
    key = spec.api_key.strip()
    text = text.replace(key, "[key]") if is_secret(key) else text
    for value in secrets_of(spec.extra_headers):
        text = text.replace(value, "[header]")
    return text


def is_secret(key: str) -> bool:
    """True unless a key is a mere word, as local servers take any: EMPTY, ollama, none."""
    return len(key) >= 8 or (len(key) > 4 and key.startswith("sk-"))


def without_extra(text: str, spec: EndpointSpec) -> str:
    """`text` without the longer texts of the extra body, which may be secrets too.

    Only what an endpoint says of an error is treated so: a model may mean the same words.
    """
    for said in sorted(set(texts_of(spec.extra_body)), key=len, reverse=True):
        if len(said) >= 8:
            text = text.replace(said, "[extra body]")
    return text


def quote(text: str, spec: EndpointSpec) -> str:
    """The beginning of what an endpoint said, on one line, without the key."""
    whole = without_extra(redact(text, spec), spec)[:READ_CHARS]  # a cut key would be shown
    line = " ".join(UNPRINTABLE.sub(" ", whole).split())
    line = without_extra(redact(line, spec), spec)
    return line if len(line) <= QUOTED_CHARS else f"{line[:QUOTED_CHARS]} …"


def check_spec(spec: EndpointSpec) -> None:
    """Raise EndpointError for an address or a key that cannot be used at all."""
    try:
        url = httpx2.URL(spec.base_url)
        is_named = bool(HOST.fullmatch(url.host)) and (url.port or 1) < 65_536
        usable = url.scheme in ("http", "https") and is_named
    except (httpx2.InvalidURL, UnicodeError):
        usable = False
    if not usable:
        raise error_of(BAD_URL)
    # A header that cannot be sent would be quoted, key and all, in the library's error.
    if not SENDABLE.fullmatch(spec.api_key.strip()):
        raise error_of(BAD_KEY)


def of_status(
    status: int, headers: Mapping[str, str], said: ErrorReport, spec: EndpointSpec
) -> EndpointError:
    """The problem behind an HTTP status that is not a success; `said` is what the body says."""
    kind = kind_of(status, said.text)
    wait_s = retry_after_s(headers, datetime.now(UTC)) if kind.tries > 1 else None
    return error_of(
        kind,
        wait_s=wait_s,
        heard=said.text if kind.code in HEARD else "",
        status=status,
        said=detail(said, spec),
        asked=asks_to_wait(wait_s),
        key="refused the API key" if spec.api_key else "asks for an API key",
        model=spec.model,
        place=place(spec),
        target=quote(headers.get("location", ""), spec) or "elsewhere",
    )


def kind_of(status: int, text: str) -> ErrorKind:
    if 300 <= status < 400:
        return REDIRECT
    row = find_row(status, text)
    if row is not None:
        return row
    if status in OF_STATUS:
        return OF_STATUS[status]
    if status in (404, 405):
        is_model = status == 404 and any(word in text.lower() for word in NAMES_OF_MODELS)
        return UNKNOWN_MODEL if is_model else NOT_FOUND
    return SERVER_ERROR if status in MAY_CHANGE or status >= 500 else BAD_REQUEST


def detail(said: ErrorReport, spec: EndpointSpec) -> str:
    """The endpoint's own message, to go into a sentence before its full stop."""
    words = quote(said.message, spec).rstrip(". ")
    return f": {words}" if words else ""


def asks_to_wait(wait_s: float | None) -> str:
    """The wait that Retry-After asks for, in words that go into a sentence."""
    if not wait_s:
        return ""
    if wait_s > DAY_S:
        return " and asks to wait for more than a day"
    if wait_s >= 2 * 3600:
        return f" and asks to wait {wait_s / 3600:.0f} hours"
    if wait_s > 3600:
        return f" and asks to wait {wait_s / 60:.0f} minutes"
    return f" and asks to wait {wait_s:.0f} s"


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that Retry-After asks for (RFC 9110, 10.2.3: seconds or a date), if it does."""
    value = headers.get("retry-after", "").strip()[:100]
    if SECONDS.fullmatch(value):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def of_connection(error: BaseException, spec: EndpointSpec) -> EndpointError:
    """The problem behind a request that failed without a status."""
    chain = list(causes(error))
    for link in chain:
        if isinstance(link, ProblemError):  # a guard's
            return passed_on(link)
    if any(isinstance(link, BodyTooLarge) for link in chain):
        return error_of(TOO_LARGE)
    if any(isinstance(link, BodyEncoded) for link in chain):
        return error_of(COMPRESSED)
    garbled = next((e for e in chain if isinstance(e, httpx2.RemoteProtocolError)), None)
    if garbled is not None:
        return of_protocol(str(garbled), spec)
    if any(isinstance(link, BROKEN_OFF) for link in chain):
        return error_of(CUT_OFF)
    return error_of(UNREACHABLE, place=place(spec), reason=why_unreachable(chain))


def passed_on(error: ProblemError) -> EndpointError:
    """A refusal by what guards our own connections: asking again changes nothing, unless the name
    service was too slow."""
    problem = error.problem
    tries = UNREACHABLE.tries if problem.code == UNRESOLVED else ONE_TRY
    return EndpointError(problem.code, problem.what, problem.next_step, tries)


def why_unreachable(chain: list[BaseException]) -> str:
    """The reason in words; the library's own message may hold what is not for a page."""
    for error in chain:
        if isinstance(error, ssl.SSLCertVerificationError):
            return "its certificate is not valid"
        if isinstance(error, ssl.SSLError):
            return "the secure connection (TLS) failed"
        if isinstance(error, socket.gaierror):
            return "its name cannot be resolved"
        if isinstance(error, ConnectionRefusedError):
            return "the connection was refused"
        if isinstance(error, httpx2.ConnectTimeout):
            return "it did not answer in time"
    return "the connection failed"


def causes(error: BaseException | None) -> Iterator[BaseException]:
    """`error` and what led to it, the members of groups included."""
    while error is not None:
        yield error
        if isinstance(error, BaseExceptionGroup):
            for member in error.exceptions:
                yield from causes(member)
        error = error.__cause__ or error.__context__


def of_protocol(words: str, spec: EndpointSpec) -> EndpointError:
    """The problem behind the library's words on what came instead of a whole reply."""
    if words.startswith(WITHOUT_REPLY):
        return error_of(HUNG_UP, place=place(spec))
    return error_of(CUT_OFF if words.startswith(CUT_SHORT) else NOT_HTTP, place=place(spec))
