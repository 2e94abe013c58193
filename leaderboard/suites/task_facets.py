"""Facets of tasks: file types, skills and English titles, from their files and `facets.toml`."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from django.db.models import QuerySet

from leaderboard.models import Suite, Task
from runner.contract import Fault, Problem, ProblemError

FILE_NAME = "facets.toml"  # of a suite's folder; no part of its digest
MAX_OPTIONS = 40  # of a facet, the most frequent
MAX_TITLE_CHARS = 200
MAX_QUERY_CHARS = 20_000
SKILL = re.compile(r"[a-z][a-z-]{1,39}")
TITLES: Mapping[str, str] = {"skill": "skill", "file": "file type"}
FACETS = tuple(TITLES)

# Skills that a file type shows by itself; `facets.toml` names the others.
SKILLS_OF_FILES: Mapping[str, frozenset[str]] = {
    "spreadsheets": frozenset(("xlsx", "xls", "xlsm", "ods")),
    "tables": frozenset(("csv", "tsv", "parquet")),
    "databases": frozenset(("sqlite", "sqlite3", "db")),
    "documents": frozenset(("docx", "pdf", "odt", "pptx", "rtf")),
    "pictures": frozenset(("png", "jpg", "jpeg", "webp", "bmp", "gif", "tif", "tiff", "svg")),
    "sound": frozenset(("wav", "mp3", "flac", "ogg", "m4a")),
    "film": frozenset(("mp4", "mov", "avi", "mkv", "webm", "srt")),
    "web-pages": frozenset(("html", "htm", "css")),
}


@dataclass(frozen=True)
class Described:
    """Contents of `facets.toml`, by the tasks' keys."""

    skills: Mapping[str, list[str]] = field(default_factory=dict)
    english: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)  # in English, of a foreign one

    def of(self, key: str) -> tuple[list[str], str, str]:
        """A task's skills, and its title and query in English where they are foreign."""
        return self.skills.get(key, []), self.english.get(key, ""), self.query.get(key, "")


def read_described(folder: Path, keys: Iterable[str]) -> Described:
    """Read the suite's `facets.toml`; nothing where there is none. Raises ProblemError."""
    path = folder / FILE_NAME
    if not path.is_file():
        return Described()
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise malformed(folder, f"not valid TOML: {error}.") from error
    skills, english, query = (said.get(name, {}) for name in ("skills", "english", "query"))
    if not all(isinstance(table, dict) for table in (skills, english, query)):
        raise malformed(folder, "`skills`, `english` and `query` are tables of task keys.")
    if strange := sorted({*skills, *english, *query} - set(keys)):
        raise malformed(folder, f"there is no task “{strange[0]}”.")
    for key, words in skills.items():
        if not isinstance(words, list) or not all(is_skill(word) for word in words):
            raise malformed(folder, f"the skills of {key} are a list of words like “time-series”.")
    for key, title in english.items():
        if not isinstance(title, str) or not 0 < len(title) <= MAX_TITLE_CHARS:
            raise malformed(folder, f"the English title of {key} is a text in one line.")
    for key, text in query.items():
        if not isinstance(text, str) or not 0 < len(text.strip()) <= MAX_QUERY_CHARS:
            raise malformed(folder, f"the English query of {key} is a text.")
    return Described(skills, english, {key: text.strip() for key, text in query.items()})


def is_skill(word: object) -> bool:
    return isinstance(word, str) and bool(SKILL.fullmatch(word))


def malformed(folder: Path, what: str) -> ProblemError:
    said = f"{folder.name}/{FILE_NAME}: {what}"
    return ProblemError(Problem(Fault.SUBMITTER, "malformed_suite", said, "Fix it."))


def file_types_of(task: Task) -> list[str]:
    """The types of its input and output files, as in ["csv", "png"]."""
    names = (*task.inputs, *task.outputs)
    return sorted({name.rpartition(".")[2].lower() for name in names if "." in name})


def skills_of(task: Task) -> list[str]:
    """Skills that its file types show, then those that the suite names."""
    types = set(file_types_of(task))
    shown = [skill for skill, those in SKILLS_OF_FILES.items() if types & those]
    return list(dict.fromkeys([*shown, *task.skills]))


def values_of(task: Task, facet: str) -> list[str]:
    return skills_of(task) if facet == "skill" else file_types_of(task)


def count_facets(tasks: Iterable[Task]) -> dict[str, dict[str, int]]:
    """By facet and value how many tasks have it, the most frequent first."""
    counts: dict[str, Counter[str]] = {facet: Counter() for facet in FACETS}
    for task in tasks:
        for facet in FACETS:
            counts[facet].update(values_of(task, facet))
    return {
        facet: dict(sorted(found.items(), key=lambda one: (-one[1], one[0]))[:MAX_OPTIONS])
        for facet, found in counts.items()
    }


def has_values(task: Task, chosen: Mapping[str, str]) -> bool:
    """True if the task has each chosen value, as {"skill": "charts"}."""
    return all(
        value in values_of(task, facet) for facet, value in chosen.items() if facet in FACETS
    )


def find_tasks(suite: Suite, chosen: Mapping[str, str]) -> list[Task]:
    """The suite's tasks that have each chosen value. One query."""
    return with_values(suite.tasks.all(), chosen)


def with_values(tasks: QuerySet[Task], chosen: Mapping[str, str]) -> list[Task]:
    """Those of the tasks that have each chosen value, without their texts. One query."""
    light = tasks.only("inputs", "outputs", "skills", "suite")
    return [task for task in light if has_values(task, chosen)]


def store_facets(suite: Suite, described: Described) -> None:
    """Write the tasks' skills and English texts, and the suite's counts, where they differ."""
    tasks = list(suite.tasks.all())
    changed = []
    for task in tasks:
        said = described.of(task.key)
        if said != (task.skills, task.english, task.english_query):
            task.skills, task.english, task.english_query = said
            changed.append(task)
    Task.objects.bulk_update(changed, ["skills", "english", "english_query"])
    if (counts := count_facets(tasks)) != suite.facets:
        suite.facets = counts
        suite.save(update_fields=["facets"])
