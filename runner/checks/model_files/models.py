"""Opening an agent's model file (pickle, joblib, .npy) without believing or running it.

A pickle is a program. It is opened by a process that holds nothing but that file and what it is
asked about it, and that gives back JSON values; the comparison happens here. A file that names
anything but models, tables and numbers fails the assertion "tampered" before any of it has run.

    from runner.checks.model_files import models

    def check(case):
        rows, labels = held_out(case.seed)  # lists; never labels to the file
        forest, predicted = models.ask(
            case, "model.pkl", [models.describe(), models.predict(rows, columns=["x", "y"])]
        )
        case.equal("kind of model", forest["type"], "sklearn.RandomForestClassifier", "model.pkl")
        right = sum(one == other for one, other in zip(predicted, labels, strict=True))
        case.expect("accuracy", right >= 0.9 * len(labels), "at least 90 %", right, "model.pkl")

        [centres] = models.ask(case, "kmeans.joblib", [models.read("cluster_centers_")])
        [weights] = models.ask(case, "weights.npy", [models.value()])  # nested lists
        [table] = models.ask(case, "frame.pkl", [models.value()])  # {"columns", "index", "rows"}

A file that cannot be opened, or a question that it cannot answer, is a failing assertion and ends
the check. Values come from a hostile file: their type is whatever it says, so look before use.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from runner.checks.case import Case, shown
from runner.checks.model_files.loader_parent import LoaderParent
from runner.checks.programs.modules import ModuleBroken, converse

REFUSED = 97  # the loader's exit code for a name off its list
EXIT_TIMEOUT_S = 5.0  # between its last word and its end
MOST_REPLY_BYTES = 32 << 20
METHODS = frozenset(
    {"decision_function", "inverse_transform", "kneighbors", "predict", "predict_log_proba"}
    | {"predict_proba", "score_samples", "transform"}
)

SET_ASIDE: LoaderParent | None = None  # the harness sees to it


class ModelBroken(Exception):
    """The file could not be opened, or the loader ended without a reply."""


class ModelTampered(Exception):
    """The file asked for a name that no model needs; the message is that name."""


@dataclass(frozen=True)
class Ask:
    """One question to a model file."""

    do: str  # "describe", "value", "texts", "read" or "call"
    name: str = ""  # of the attribute or method
    at: tuple[str | int, ...] | None = None
    beside: str = ""  # a method that the object must have, too
    rows: Sequence[Any] = ()
    columns: Sequence[str] | None = None

    @property
    def text(self) -> str:
        return {"read": self.name, "call": f"{self.name}()"}.get(self.do, self.do)


def describe() -> Ask:
    """Description of the file's contents: {"type": "sklearn.KMeans", "parameters": {...},
    "is_fitted": true, ...}.

    Dicts, lists and tuples have "items", pipelines "steps", arrays and tables "shape".
    """
    return Ask("describe")


def value() -> Ask:
    """All of it as plain values: arrays as lists, tables as {"columns", "index", "rows"}."""
    return Ask("value")


def texts() -> Ask:
    """Every list of texts that stands in it beside its models: [its key in a dict, the texts]."""
    return Ask("texts")


def read(attribute: str, at: tuple[str | int, ...] | None = None, beside: str = "") -> Ask:
    """An attribute such as "cluster_centers_"; found in a dict or list as `predict` says.

    With `beside`, a method's name, only an object that also has that method is asked.
    """
    if attribute.startswith("_"):
        raise ValueError(f"“{attribute}” is private")
    return Ask("read", attribute, at, beside)


def predict(
    rows: Sequence[Any],
    columns: Sequence[str] | None = None,
    method: str = "predict",
    at: tuple[str | int, ...] | None = None,
) -> Ask:
    """Predictions of the model for `rows`: lists of numbers, texts, or a table if `columns` are
    named.

    In a dict, list or tuple the first object with such a method is asked, or the one at the keys
    `at`, like ("model",).
    """
    if method not in METHODS:
        raise ValueError(f"“{method}” is not one of {', '.join(sorted(METHODS))}")
    return Ask("call", method, at, "", rows, columns)


def ask(case: Case, name: str, asks: Sequence[Ask], timeout_s: float = 60.0) -> list[Any]:
    """The answers of the output file `name`, one for each question, as JSON values."""
    kind = "numpy" if name.lower().endswith((".npy", ".npz")) else "pickle"
    with case.reading(name, "a NumPy array" if kind == "numpy" else "a model") as path:
        try:
            replies = question(path, kind, asks, timeout_s)
        except ModelTampered as error:
            case.fail("tampered", tampering(name, str(error)), name, str(error))
        return [take_answer(case, name, *pair) for pair in zip(asks, replies, strict=True)]


def tampering(name: str, forbidden: str) -> str:
    if forbidden.startswith("__main__."):
        return (
            f"{name} needs {shown(forbidden)[:100]}, the agent's own code, which it does not hold."
        )
    return f"{name} asks for {shown(forbidden)[:100]} when it is opened, which no model needs."


def take_answer(case: Case, name: str, asked: Ask, reply: dict[str, Any]) -> Any:
    if "error" in reply:
        reason = shown(f"{reply['error']}: {reply.get('message', '')}")[:200]
        case.fail(f"answers {asked.text}", f"{name}: {asked.text} failed ({reason}).", name, reason)
    return reply.get("value")


def question(path: Path, kind: str, asks: Sequence[Ask], timeout_s: float) -> list[dict[str, Any]]:
    """Ask a loader. Raises ModelTampered, and ModelBroken without a reply to each ask."""
    if SET_ASIDE is None:
        raise RuntimeError("no loader parent was set aside before the check began")
    body = json.dumps({"path": str(path), "kind": kind, "asks": [asked_of(one) for one in asks]})
    deadline = time.monotonic() + timeout_s
    theirs_in, to = os.pipe()
    fro, theirs_out = os.pipe()
    with os.fdopen(to, "wb", 0) as stdin, os.fdopen(fro, "rb", 0) as stdout:
        try:
            loader = SET_ASIDE.start(theirs_in, theirs_out)
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        try:
            raw = converse(stdin, stdout, body.encode(), deadline, MOST_REPLY_BYTES)
            code = loader.wait(EXIT_TIMEOUT_S)
        except (ModuleBroken, TimeoutError) as error:
            raise ModelBroken(str(error)) from error
        finally:
            loader.end()
    return to_replies(raw, code, len(asks))


def asked_of(ask: Ask) -> dict[str, Any]:
    """As JSON; `dataclasses.asdict` would copy every row."""
    return {field.name: getattr(ask, field.name) for field in fields(Ask)}


def set_aside() -> None:
    """Fork the parent of loaders, while this process still knows nothing of its job."""
    global SET_ASIDE
    SET_ASIDE = LoaderParent()


def to_replies(raw: bytes, code: int, number: int) -> list[dict[str, Any]]:
    """The child's message; every part of it is checked before it is believed."""
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        message = {}
    if code == REFUSED:
        raise ModelTampered(str(message.get("refused", "something"))[:200])
    if "unreadable" in message:
        raise ModelBroken(str(message["unreadable"])[:300])
    replies = message.get("replies")
    if code != 0 or not isinstance(replies, list) or len(replies) != number:
        raise ModelBroken(f"its reader ended with code {code}")
    if not all(isinstance(reply, dict) for reply in replies):
        raise ModelBroken("it answered with nonsense")
    return replies
