"""The scripted attempts of the tags' trial, as their text files spell them.

`@@@ TASK OPTIONS` begins an attempt, `@@` the next reply of its model, `@@ cut` one that the
endpoint cut at its length limit. Options: `turns=N`, `absent=NAME` takes an input away, `bare`
plays without a sandbox, where ./data can be written to; `endpoint=`, `kernel=`, `worker=`,
`check=` and `cancelled=` say, to the end of the line, how the attempt is lost after its replies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "scripts"
LOSSES = ("endpoint", "kernel", "worker", "check", "cancelled")


@dataclass(frozen=True)
class TrialReply:
    """One reply of a scripted model."""

    text: str
    is_cut: bool = False


@dataclass(frozen=True)
class TrialScript:
    """One attempt to be played."""

    task: str
    replies: tuple[TrialReply, ...]
    turns: int | None = None
    absent: str = ""
    is_bare: bool = False
    loss: str = ""  # one of LOSSES
    loss_sentence: str = ""

    @property
    def key(self) -> str:
        """A name that changes with any word of it and says nothing of what it is for."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:8]


def read_scripts(folder: Path = FOLDER) -> list[TrialScript]:
    """All scripts in the order of their keys, which is no order that tells anything."""
    found = [s for path in sorted(folder.glob("*.txt")) for s in scripts_in(path.read_text())]
    return sorted(found, key=lambda script: script.key)


def scripts_in(text: str) -> Iterator[TrialScript]:
    for part in ("\n" + text).split("\n@@@ ")[1:]:
        head, _, body = part.partition("\n")
        yield script_of(head, body)


def script_of(head: str, body: str) -> TrialScript:
    loss = next((word for word in LOSSES if f" {word}=" in head), "")
    head, _, sentence = head.partition(f" {loss}=") if loss else (head, "", "")
    task, *options = head.split()
    named = dict(option.partition("=")[::2] for option in options)
    return TrialScript(
        task,
        tuple(replies_in(body, bool(loss))),
        turns=int(named["turns"]) if "turns" in named else None,
        absent=named.get("absent", ""),
        is_bare="bare" in named,
        loss=loss,
        loss_sentence=sentence,
    )


def replies_in(body: str, may_be_none: bool) -> Iterator[TrialReply]:
    if may_be_none and not body.strip():
        return
    if not body.startswith("@@ cut\n"):
        body = "@@\n" + body
    for part in ("\n" + body).split("\n@@")[1:]:
        word, _, text = part.partition("\n")
        yield TrialReply(text.strip("\n"), word.strip() == "cut")
