"""Headers that a submitter adds to every request to the endpoint: read, bounded, and passed on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from runner.contract import Fault, Problem, ProblemError

MAX_HEADERS = 16
MAX_CHARS = 4_000  # of all names and values
KEPT = "(kept)"  # in a form, in the place of a value that is stored
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
SECRET_CHARS = 8  # a shorter value is found everywhere, and is no secret

WRAPPED = (
    "pybench-extra-"  # before a name, until the transport has removed what is not ours to send
)

# What the request itself decides, what speaks for a hop, and what names another sender.
FORBIDDEN = {
    "authorization": "the key has its own field",
    "cookie": "cookies are not sent",
    "set-cookie": "cookies are not sent",
    "host": "it follows from the base URL",
    "content-length": "it follows from the request",
    "content-type": "the request is JSON",
    "content-encoding": "the request is JSON",
    "accept": "the run reads the reply",
    "accept-encoding": "replies come uncompressed",
    "user-agent": "the run says who it is",
    "expect": "it speaks for one connection",
    "connection": "it speaks for one connection",
    "keep-alive": "it speaks for one connection",
    "te": "it speaks for one connection",
    "trailer": "it speaks for one connection",
    "transfer-encoding": "it speaks for one connection",
    "upgrade": "it speaks for one connection",
    "http2-settings": "it speaks for one connection",
    "forwarded": "it names another sender",
    "via": "it names another sender",
    "x-real-ip": "it names another sender",
}
FORBIDDEN_STARTS = {
    "proxy-": "it speaks for a proxy",
    "x-forwarded-": "it names another sender",
    "sec-": "browsers alone send it",
    WRAPPED: "the run uses it itself",
}


def read(text: str) -> dict[str, str]:
    """The headers in `text`, a “Name: value” on each line. ProblemError says what is wrong."""
    if len(text) > 2 * MAX_CHARS:
        raise too_long()
    pairs = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if not line.strip():
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise refuse(
                "A line of the extra headers has no colon.", "Write each as in “Name: value”."
            )
        pairs.append((name.strip(), value.strip()))
    names = [name.lower() for name, _ in pairs]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise refuse(f"The extra header “{twice[:40]}” is given twice.", "Give each header once.")
    return check(dict(pairs))


def check(value: object) -> dict[str, str]:
    """`value` if each of its headers can be sent. ProblemError says why one cannot."""
    if not isinstance(value, Mapping):
        raise refuse("The extra headers are not a JSON object.", 'Write {"Name": "value"}.')
    if len(value) > MAX_HEADERS:
        raise refuse(
            f"There are {len(value)} extra headers; {MAX_HEADERS} is the limit.",
            "Leave out those that the endpoint does not need.",
        )
    if len({str(name).lower() for name in value}) != len(value):
        raise refuse("An extra header is given twice.", "Give each header once.")
    for name, text in value.items():
        require_name(str(name))
        if not isinstance(text, str) or not VALUE.fullmatch(text):
            raise refuse(
                f"The value of the extra header “{name}” is empty, or has a line break or other "
                "characters that no header can hold.",
                "Use printable ASCII, without blanks at its ends.",
            )
    if sum(len(name) + len(text) for name, text in value.items()) > MAX_CHARS:
        raise too_long()
    return dict(value)


def require_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise refuse(
            f"“{printable(name)}” is not a valid name of a header.",
            "A name is at most 64 letters, digits, - and _, and begins with a letter.",
        )
    plain = name.lower().replace("_", "-")  # some servers take them for the same
    why = FORBIDDEN.get(plain) or next(
        (why for start, why in FORBIDDEN_STARTS.items() if plain.startswith(start)), ""
    )
    if why:
        raise refuse(
            f"The extra headers cannot set “{name}”: {why}.", "Remove it from the extra headers."
        )


def keep(headers: Mapping[str, str], stored: Mapping[str, str]) -> dict[str, str]:
    """`headers` with the stored value where a form says that it is kept."""
    known = {name.lower(): value for name, value in stored.items()}
    found = {}
    for name, value in headers.items():
        if value == KEPT and name.lower() not in known:
            raise refuse(
                f"No value of the extra header “{name}” is kept for this address.",
                "Enter its value again.",
            )
        found[name] = known[name.lower()] if value == KEPT else value
    return found


def mask(text: str) -> str:
    """The lines of a form that name a header, each without its value."""
    names = [line.partition(":")[0].strip() for line in text.splitlines() if ":" in line]
    return "\n".join(f"{name}: {KEPT}" for name in names if NAME.fullmatch(name))


def dump(headers: Mapping[str, str]) -> str:
    """One text for the same headers, whatever order they came in; "" for none."""
    return json.dumps(headers, sort_keys=True) if headers else ""


def load(text: str) -> dict[str, str]:
    """The headers that `dump` was given; they are checked again."""
    return check(json.loads(text)) if text else {}


def wrap(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers under the names by which the transport knows them."""
    return {f"{WRAPPED}{name}": value for name, value in headers.items()}


def unwrap(names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The submitter's headers among those of a request, as they are to be sent."""
    for name, value in names.items():
        if name.lower().startswith(WRAPPED):
            yield name[len(WRAPPED) :], value


def secrets_of(headers: Mapping[str, str]) -> list[str]:
    """Values that must not be shown, the longest first."""
    found = {value for value in headers.values() if len(value) >= SECRET_CHARS}
    return sorted(found, key=len, reverse=True)


def printable(name: str) -> str:
    return "".join(char if char.isprintable() else "�" for char in name[:40])


def refuse(what: str, next_step: str) -> ProblemError:
    return ProblemError(Problem(Fault.SUBMITTER, "bad_extra_headers", what, next_step))


def too_long() -> ProblemError:
    return refuse(
        f"The extra headers are longer than {MAX_CHARS} characters.",
        "Leave out what is not needed.",
    )
