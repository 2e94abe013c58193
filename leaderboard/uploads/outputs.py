"""Files of a zip that a suite's checks are to judge, sorted by task: for a process of its own.

The zip has a folder for each task, called by its key: the outputs in `KEY/output/…`, the answer in
`KEY/answer.txt`. All of it may lie in one more folder.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from leaderboard.trajectories.readers.conversation import Unusable
from leaderboard.trajectories.readers.zip_archive import (
    DEFLATED,
    MAX_MEMBER_BYTES,
    STORED,
    ZIP,
    ZipMember,
    content_of,
)
from leaderboard.uploads.archive import BadArchive, is_aside, open_zip
from leaderboard.uploads.reading import shown_name

OUTPUT, ANSWER = "output", "answer.txt"
MAX_ANSWER_BYTES = 1 << 20
MAX_DEPTH, MAX_PATH_CHARS = 20, 1_000
FILES, TOTAL_BYTES = 500, 256 << 20  # of a task, as of an attempt's own
MAX_REASONS = 1_000


@dataclass
class BroughtTask:
    """Files of one task, each named by its path among the outputs."""

    files: list[ZipMember] = field(default_factory=list)
    answer: str = ""
    size_bytes: int = 0


@dataclass
class BroughtOutputs:
    """An archive, sorted by the tasks of a suite."""

    tasks: dict[str, BroughtTask] = field(default_factory=dict)
    aside: list[tuple[str, str]] = field(default_factory=list)  # name, and the reason as a sentence
    aside_count: int = 0  # of which `aside` has the first
    refusal: str = ""  # why nothing at all was taken, a sentence

    def leave_aside(self, name: str, reason: str) -> None:
        self.aside_count += 1
        if len(self.aside) < MAX_REASONS:
            self.aside.append((shown_name(name), reason))


def read_in_one_part(path: Path, name: str, keys: Collection[str]) -> list[BroughtOutputs]:
    return [read_outputs(path, name, keys)]


def read_outputs(path: Path, name: str, keys: Collection[str]) -> BroughtOutputs:
    """Sort the archive's list of files by task; only the answers are unpacked."""
    data = path.read_bytes()
    if not data.startswith(ZIP):
        return BroughtOutputs(refusal=f"{name} is no zip archive.")
    try:
        archive = open_zip(data)
    except BadArchive as problem:
        return BroughtOutputs(refusal=str(problem))
    if archive.is_cut:
        return BroughtOutputs(refusal=f"{name} is damaged or cut off.")
    outputs = BroughtOutputs()
    for sentence in archive.problems:
        outputs.leave_aside("", sentence)
    for member in archive.members:
        if not is_aside(member.name):
            sort_member(data, member, keys, outputs)
    if not outputs.tasks:
        named = ", ".join(sorted(keys)[:3])
        reasons = " ".join(archive.problems[:3])
        outputs.refusal = (
            f"{name} has no files of a task of this suite, whose keys are {named} and so on. "
            f"{reasons}".strip()
        )
    return outputs


def sort_member(
    data: bytes, member: ZipMember, keys: Collection[str], outputs: BroughtOutputs
) -> None:
    key, path = place_of(member.name, keys)
    reason = refuse_member(member, key, path, outputs)
    answer = b""
    if path == ANSWER and not reason:
        try:
            answer = content_of(data, member, MAX_ANSWER_BYTES)
        except Unusable as problem:
            reason = str(problem)
    if reason:
        outputs.leave_aside(member.name, reason)
        return
    task = outputs.tasks.setdefault(key, BroughtTask())
    if path == ANSWER:
        task.answer = answer.decode("utf-8", "replace")
    else:
        task.files.append(replace(member, name=path.removeprefix(f"{OUTPUT}/")))
        task.size_bytes += member.size_bytes or 0


def place_of(name: str, keys: Collection[str]) -> tuple[str, str]:
    """The task's key and the path below its folder; "" for what lies in no task's folder."""
    parts = name.replace("\\", "/").split("/")  # some archivers of Windows write their own
    if parts[0] not in keys and is_below(parts[:1]):
        parts = parts[1:]  # an archive of a folder has its name before all others
    return (parts[0], "/".join(parts[1:])) if len(parts) > 1 and parts[0] in keys else ("", "")


def is_below(parts: Sequence[str]) -> bool:
    """True if none of the parts leads out of a folder. Of other names the worker takes its pick."""
    return not {"", ".", ".."} & set(parts)


def refuse_member(member: ZipMember, key: str, path: str, outputs: BroughtOutputs) -> str:
    """Why a file is not taken, as a sentence; "" when it is."""
    task = outputs.tasks.get(key, BroughtTask())
    parts = path.split("/")
    size_bytes = member.size_bytes or 0
    if not key:
        return "It lies in no folder that is called like a task."
    if member.is_cut:
        return "Its bytes are not where the archive's directory says."
    if member.method not in (STORED, DEFLATED):
        return "It is packed in another way than by deflate, the usual one."
    if path == ANSWER:
        return "" if size_bytes <= MAX_ANSWER_BYTES else "The answer is larger than 1 MiB."
    if parts[0] != OUTPUT or len(parts) < 2:
        return f"It is neither {ANSWER} nor in the folder {OUTPUT}."
    if len(parts) > MAX_DEPTH or len(path) > MAX_PATH_CHARS or not is_below(parts):
        return "Its path cannot be stored."
    if size_bytes > MAX_MEMBER_BYTES:
        return f"It is larger than {MAX_MEMBER_BYTES >> 20} MiB."
    if task.size_bytes + size_bytes > TOTAL_BYTES:
        return f"The files of its task are larger than {TOTAL_BYTES >> 20} MiB together."
    if len(task.files) >= FILES:
        return f"Its task has more than {FILES} files."
    return ""
