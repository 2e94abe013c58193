"""What a model endpoint did wrong, said as problems with a next step."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx2

from runner.contract import EndpointSpec, Fault, Problem, ProblemError
from runner.extra_body import texts_of
from runner.outbound import MAX_BODY_BYTES, BodyEncoded, BodyTooLarge

MANY_TRIES, FEW_TRIES, ONE_TRY = 6, 3, 1
QUOTED_CHARS = 300  # of what an endpoint says

CONTEXT = re.compile(
    r"context[_ ](?:length|window|size)|maximum context|context.{0,20}exceed|"
    r"(?:prompt|input|request).{0,30}too (?:long|large)|too many (?:input )?tokens|max_model_len",
    re.IGNORECASE,
)
UNKNOWN_MODEL = re.compile(r"model|deployment|engine", re.IGNORECASE)
NO_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|billing", re.IGNORECASE)


CODES = re.compile(r"(?: \[[\w.-]+\])+$")  # put behind a message for us to go by
BROKEN_OFF = (httpx2.ReadError, httpx2.WriteError, httpx2.RemoteProtocolError)


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


def place(spec: EndpointSpec) -> str:
    """Where the endpoint is, without any credentials written into its address."""
    url = httpx2.URL(spec.base_url)
    return f"{url.scheme}://{url.netloc.decode('ascii')}{url.path.rstrip('/')}"


def redact(text: str, spec: EndpointSpec) -> str:
    """`text` without the key, should an endpoint repeat it."""
    key = spec.api_key.strip()
    return text.replace(key, "[key]") if len(key) >= 8 else text


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
    line = " ".join(re.sub(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\U0010ffff]", " ", text).split())
    line = without_extra(redact(line, spec), spec)
    return line if len(line) <= QUOTED_CHARS else f"{line[:QUOTED_CHARS]} …"


def check_spec(spec: EndpointSpec) -> None:
    """Raise EndpointError for an address or a key that cannot be used at all."""
    try:
        url = httpx2.URL(spec.base_url)
        is_named = bool(re.fullmatch(r"[\w.:-]+", url.host)) and (url.port or 1) < 65_536
        usable = url.scheme in ("http", "https") and is_named
    except (httpx2.InvalidURL, UnicodeError):
        usable = False
    if not usable:
        raise EndpointError(
            "endpoint_bad_url",
            "The base URL is not an http or https address.",
            "Write it out, for example http://localhost:8000/v1.",
            ONE_TRY,
        )
    # A header that cannot be sent would be quoted, key and all, in the library's error.
    if not re.fullmatch(r"[\x21-\x7e]*", spec.api_key.strip()):
        raise EndpointError(
            "endpoint_bad_key",
            "The API key holds blanks, line breaks or letters outside ASCII.",
            "Copy the key again, without anything around it.",
            ONE_TRY,
        )


def of_status(
    status: int, headers: Mapping[str, str], message: str, spec: EndpointSpec
) -> EndpointError:
    """The problem behind an HTTP status that is not a success; `message` is the body's."""
    if 300 <= status < 400:
        return redirected(status, headers, spec)
    if status in (401, 402, 403):
        return denied(status, message, spec)
    if status == 404:
        return not_found(message, spec)
    if status in (408, 409, 425, 429) or status >= 500:
        return busy(status, headers, message, spec)
    if CONTEXT.search(message):
        said = detail(message, spec)
        return ContextFull(
            "endpoint_context_full",
            f"The conversation is longer than the model can read ({status}){said}.",
            "Raise the model's context length or lower the tokens per reply.",
            ONE_TRY,
        )
    return EndpointError(
        "endpoint_bad_request",
        f"The endpoint refused the request ({status}){detail(message, spec)}.",
        "Change or leave out the parameter that it names.",
        ONE_TRY,
        said=message,
    )


def detail(message: str, spec: EndpointSpec) -> str:
    """What the endpoint said, to go into a sentence before its full stop."""
    said = quote(CODES.sub("", message), spec).rstrip(". ")
    return f": {said}" if said else ""


def redirected(status: int, headers: Mapping[str, str], spec: EndpointSpec) -> EndpointError:
    target = quote(headers.get("location", ""), spec)
    return EndpointError(
        "endpoint_redirect",
        f"The endpoint redirects to {target or 'elsewhere'} ({status}), which is not followed.",
        "Give the address that it redirects to as the base URL.",
        ONE_TRY,
    )


def denied(status: int, message: str, spec: EndpointSpec) -> EndpointError:
    if status == 401:
        asked = "refused the API key" if spec.api_key else "asks for an API key"
        return EndpointError(
            "endpoint_unauthorised",
            f"The endpoint {asked} (401).",
            "Give a key that is valid for this endpoint.",
            ONE_TRY,
        )
    return EndpointError(
        "endpoint_forbidden",
        f"The endpoint does not allow this ({status}){detail(message, spec)}.",
        "Check what the key and its account may use.",
        ONE_TRY,
    )


def not_found(message: str, spec: EndpointSpec) -> EndpointError:
    if UNKNOWN_MODEL.search(message):
        return EndpointError(
            "endpoint_unknown_model",
            f"The endpoint does not know the model “{spec.model}” (404).",
            f"Give one of the names that {place(spec)}/models lists.",
            ONE_TRY,
        )
    return EndpointError(
        "endpoint_not_found",
        f"There is nothing at {place(spec)}/chat/completions (404).",
        "Correct the base URL; it usually ends in /v1.",
        ONE_TRY,
    )


def busy(
    status: int, headers: Mapping[str, str], message: str, spec: EndpointSpec
) -> EndpointError:
    """A status that may be another one in a moment."""
    if status == 429 and NO_QUOTA.search(message):
        return EndpointError(
            "endpoint_no_quota",
            f"The endpoint's account has no quota left (429){detail(message, spec)}.",
            "Top the account up or use another key.",
            ONE_TRY,
        )
    wait_s = retry_after_s(headers, datetime.now(UTC))
    if status == 429:
        asked = "" if wait_s is None else f" and asks to wait {wait_s:.0f} s"
        return EndpointError(
            "endpoint_rate_limited",
            f"The endpoint limits the rate of requests (429){asked}.",
            "Lower the concurrency, or try again later.",
            MANY_TRIES,
            wait_s,
        )
    return EndpointError(
        "endpoint_server_error",
        f"The endpoint failed ({status}){detail(message, spec)}.",
        "Look into the server's log, then try again.",
        MANY_TRIES,
        wait_s,
    )


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that Retry-After asks for (RFC 9110, 10.2.3: seconds or a date), if it does."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,6})?", value):
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
        return EndpointError(
            "endpoint_too_large",
            f"The endpoint sent more than {MAX_BODY_BYTES >> 20} MiB in one reply.",
            "Limit the tokens per reply.",
            ONE_TRY,
        )
    if any(isinstance(link, BodyEncoded) for link in chain):
        return EndpointError(
            "endpoint_compressed",
            "The endpoint compresses its replies though asked not to.",
            "Switch compression off in the server or in what stands before it.",
            ONE_TRY,
        )
    if any(isinstance(link, BROKEN_OFF) for link in chain):
        return cut_off()
    return EndpointError(
        "endpoint_unreachable",
        f"No connection to {place(spec)}: {why_unreachable(chain)}.",
        "Check the base URL, and that the server is running and can be reached from here.",
        FEW_TRIES,
    )


def passed_on(error: ProblemError) -> EndpointError:
    """A refusal by what guards our own connections: asking again changes nothing."""
    problem = error.problem
    return EndpointError(problem.code, problem.what, problem.next_step, ONE_TRY)


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


def cut_off() -> EndpointError:
    return EndpointError(
        "endpoint_cut_off",
        "The endpoint broke off in the middle of a reply.",
        "Look into the server's log, and at time limits of what stands before it.",
        FEW_TRIES,
    )


def web_page() -> EndpointError:
    return EndpointError(
        "endpoint_html",
        "The endpoint answered with a web page instead of JSON.",
        "Give the base URL of the API, which usually ends in /v1, not that of its web site.",
        ONE_TRY,
    )


def no_json() -> EndpointError:
    return EndpointError(
        "endpoint_not_json",
        "The endpoint answered with something that is not JSON.",
        "Check that the base URL is that of an OpenAI-compatible API.",
        ONE_TRY,
    )


def no_choices() -> EndpointError:
    return EndpointError(
        "endpoint_no_choices",
        "The endpoint answered without any choice in it.",
        "Check that the server supports chat completions for this model.",
        FEW_TRIES,
    )


def too_slow(timeout_s: float) -> EndpointError:
    return EndpointError(
        "endpoint_timeout",
        f"The endpoint did not finish a reply within {timeout_s:.0f} s.",
        "Use a faster server, a lower concurrency or fewer tokens per reply.",
        ONE_TRY,
    )
