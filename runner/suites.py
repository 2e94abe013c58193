"""Reading a suite's folder: constants as literals, so that no task file is ever executed here."""

from __future__ import annotations

import ast
import difflib
import hashlib
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any

from runner.contract import Fault, Limits, Problem, ProblemError, TaskSpec
from runner.library import check_library
from runner.material import Material, MaterialFile, MaterialTask, read_material
from runner.sandbox.kernel_env import recipe_files

ROOT = Path(__file__).resolve().parent.parent / "suites"
PLACEHOLDER = re.compile(r"«(\w+)»")

REQUIRED = ("TITLE", "CATEGORY", "QUERY", "INPUTS", "OUTPUTS", "REFERENCE", "WRONG")
REQUIRED_ON_MATERIAL = ("INDEX", "TITLE", "CATEGORY", "OUTPUTS", "REFERENCE", "WRONG")
OPTIONAL: dict[str, Any] = {
    "LANGUAGE": "en",
    "STRENGTH": "content",
    "NOTE": "",
    "DEGENERATE": "",  # why a copy of the input passes rightly
    "BROWSER": False,  # whether the check opens pages in one
    "NEEDS": "",  # what the sandbox cannot give: the task is listed, and not played
}
FUNCTIONS = ("make_inputs", "check")
NOTES = ("DEGENERATE", "NEEDS")
KNOWN = {*REQUIRED, *REQUIRED_ON_MATERIAL, *OPTIONAL}
STRENGTHS = ("content", "partial", "existence")
SAFE_NAME = re.compile(r"[\w\-. ()]{1,120}")


@dataclass(frozen=True)
class Category:
    key: str
    title: str


@dataclass(frozen=True)
class Solution:
    """What an agent would send: its cells in order, then its final answer."""

    name: str  # "reference", or the wrong solution's name
    cells: tuple[str, ...]
    answer: str
    why: str = ""  # of a wrong one: what it gets wrong


@dataclass(frozen=True)
class SuiteTask:
    """A task with what only its maintainers see."""

    spec: TaskSpec
    position: int  # from 1, by file name
    note: str
    path: Path
    digest: str  # SHA-256 of the file
    reference: Solution
    wrong: tuple[Solution, ...]
    degenerate: str = ""  # why a copy of the input passes rightly, "" where it must not
    material: MaterialTask | None = None  # None: make_inputs makes the inputs
    unavailable: str = ""  # why it cannot be played here, "" when it can
    makes_inputs: bool = True
    has_browser: bool = False  # the check opens pages in one

    @property
    def has_stand_in(self) -> bool:
        """Whether a proof of an unavailable task can run on inputs of its maintainers' making."""
        return bool(self.unavailable) and self.makes_inputs


@dataclass(frozen=True)
class Suite:
    name: str
    version: str
    title: str
    description: str
    seed: int  # the default instance
    limits: Limits
    categories: tuple[Category, ...]
    environment: Path  # folder with the kernel environment's lock
    folder: Path
    tasks: tuple[SuiteTask, ...]
    digest: str  # SHA-256 over suite.toml, every task file, the check library, the lock, material
    unavailable: tuple[SuiteTask, ...] = ()  # listed with their reason, never played nor counted
    material: Material | None = None

    def task(self, key: str) -> SuiteTask:
        """The task called `key`; ProblemError names some others when there is none."""
        for task in (*self.tasks, *self.unavailable):
            if task.spec.key == key:
                return task
        keys = [task.spec.key for task in self.tasks]
        alike = difflib.get_close_matches(key.removesuffix(".py").replace("_", "-"), keys, 1)
        meant = f"Did you mean “{alike[0]}”? " if alike else ""
        raise problem(
            "unknown_task",
            f"Suite {self.name} has no task “{key}”.",
            f"{meant}Its tasks are {', '.join(keys[:5])} … ({len(keys)} in all).",
        )


def problem(code: str, what: str, next_step: str, fault: Fault = Fault.SUBMITTER) -> ProblemError:
    return ProblemError(Problem(fault, code, what, next_step))


def malformed(path: Path, what: str, next_step: str) -> ProblemError:
    return problem("malformed_suite", f"{path.parent.name}/{path.name}: {what}", next_step)


def fill(text: str, values: Mapping[str, object]) -> str:
    """`text` with each «name» replaced by its value; unknown names stay as they are."""
    return PLACEHOLDER.sub(lambda m: str(values.get(m[1], m[0])), text)


def available(root: Path = ROOT) -> list[str]:
    """The names of the suites under `root`."""
    return sorted(path.parent.name for path in root.glob("*/suite.toml"))


def load_available(root: Path = ROOT) -> list[Suite]:
    """Every suite under `root` that can be played: those on material only once it is imported."""
    suites = []
    for name in available(root):
        try:
            suites.append(load_suite(name, root))
        except ProblemError as error:
            if error.problem.code != "not_imported":
                raise
    return suites


def load_suite(name: str | Path, root: Path = ROOT) -> Suite:
    """The suite called `name` under `root`, or in the folder `name`.

    Raises ProblemError: unknown suite, malformed suite.toml, malformed task file.
    """
    folder = Path(name) if Path(name).is_absolute() else root / name
    path = folder / "suite.toml"
    if not is_there(path):
        known = ", ".join(available(root)) or "none"
        raise problem(
            "unknown_suite", f"There is no suite “{name}”.", f"Suites found here: {known}."
        )
    facts = read_toml(path)
    material = material_of(str(facts["name"]), facts)
    categories = tuple(Category(c["key"], c["title"]) for c in facts["categories"])
    environment_name = str(facts.get("environment", "environment"))
    beside = folder.parent / environment_name
    environment = beside if beside.is_dir() else ROOT / environment_name
    files = sorted((folder / "tasks").glob("[!_]*.py"))
    if not files:
        raise malformed(path, "the suite has no task.", "Put one file per task into tasks/.")
    tasks = tuple(
        read_task(file, position, str(facts["name"]), str(facts["version"]), categories, material)
        for position, file in enumerate(files, 1)
    )
    digest = digest_of([path, *files, *check_library(), *recipe_files(environment)])
    return Suite(
        name=str(facts["name"]),
        version=str(facts["version"]),
        title=str(facts["title"]),
        description=str(facts.get("description", "")),
        seed=int(facts["seed"]),
        limits=read_limits(path, facts.get("limits", {})),
        categories=categories,
        environment=environment,
        folder=folder,
        tasks=tuple(task for task in tasks if not task.unavailable),
        digest=with_material(digest, tasks) if material else digest,
        unavailable=tuple(task for task in tasks if task.unavailable),
        material=material,
    )


def material_of(name: str, facts: Mapping[str, Any]) -> Material | None:
    """The imported copy that the suite rests on; None for a suite that is whole by itself."""
    if "material" not in facts:
        return None
    material = read_material(str(facts["material"]))
    if material is None:
        raise problem(
            "not_imported",
            f"The queries and inputs of suite “{name}” are not here: they are imported once from "
            "a checkout.",
            f"Run `manage.py import_{facts['material']} --from PATH`.",
        )
    return material


def with_material(digest: str, tasks: tuple[SuiteTask, ...]) -> str:
    """`digest` extended by every query and input as imported."""
    total = hashlib.sha256(digest.encode())
    for task in tasks:
        if task.material:
            total.update(material_line(task.material))
    return total.hexdigest()


def material_line(task: MaterialTask) -> bytes:
    files = "\0".join(f"{f.name}\0{f.sha256}" for f in task.inputs)
    return f"{task.index}\0{task.query}\0{files}\n".encode()


def is_there(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except OSError:  # a name too long, or a folder that is not ours to look into
        return False


def read_toml(path: Path) -> dict[str, Any]:
    try:
        facts = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise malformed(path, f"not valid TOML: {error}.", "Mend that line.") from error
    for name, kind in (("name", str), ("version", str), ("title", str), ("seed", int)):
        if not isinstance(facts.get(name), kind):
            raise malformed(path, f"`{name}` is missing or no {kind.__name__}.", "Add it.")
    categories = facts.get("categories")
    if not isinstance(categories, list) or not all(
        isinstance(c, dict) and isinstance(c.get("key"), str) and isinstance(c.get("title"), str)
        for c in categories
    ):
        raise malformed(path, "`categories` must be tables with key and title.", "Add them.")
    return facts


def read_limits(path: Path, given: object) -> Limits:
    known: dict[str, Any] = {f.name: type(f.default) for f in fields(Limits)}
    if not isinstance(given, dict):
        raise malformed(path, "`limits` must be a table.", "Write it as [limits].")
    for name, value in given.items():
        if name not in known:
            raise malformed(path, f"unknown limit `{name}`.", f"Known: {', '.join(known)}.")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < inf:
            raise malformed(path, f"limit `{name}` must be a positive number.", "Mend it.")
        if known[name] is int and value != int(value):
            raise malformed(path, f"limit `{name}` must be a whole number.", "Mend it.")
    return Limits(**{name: known[name](value) for name, value in given.items()})


def digest_of(paths: list[Path]) -> str:
    """SHA-256 over names and contents, in the order given; absent files count as empty."""
    total = hashlib.sha256()
    for path in paths:
        content = content_of(path)
        total.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return total.hexdigest()


def content_of(path: Path) -> bytes:
    """What the file holds, b"" when it is absent."""
    try:
        status = path.stat()
        return known_content(path, status.st_mtime_ns, status.st_size)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return b""


@lru_cache(maxsize=1_000)
def known_content(path: Path, mtime_ns: int, size_bytes: int) -> bytes:
    """Read once while the file stays as it is: every check tells by which files it judged."""
    return path.read_bytes()


def read_task(
    path: Path,
    position: int,
    suite: str,
    version: str,
    categories: tuple[Category, ...],
    material: Material | None = None,
) -> SuiteTask:
    """The task in the file `path`, read without running it; with `material`, completed by it."""
    constants, functions = read_module(path)
    for name in REQUIRED_ON_MATERIAL if material else REQUIRED:
        if name not in constants:
            raise malformed(path, f"`{name}` is missing.", "docs/writing-a-task.md shows each.")
    for name in FUNCTIONS:
        if name not in functions and not (material and name == "make_inputs"):
            raise malformed(path, f"the function `{name}` is missing.", "Every task has it.")
    borrowed = borrow(path, constants, material) if material else None
    values = {**OPTIONAL, **constants}
    for name in ("TITLE", "CATEGORY", "QUERY", "LANGUAGE", "STRENGTH", "NOTE", *NOTES):
        if not isinstance(values[name], str):
            raise malformed(path, f"`{name}` must be a string.", "Mend it.")
    if values["CATEGORY"] not in {c.key for c in categories}:
        known = ", ".join(c.key for c in categories)
        raise malformed(path, f"unknown category “{values['CATEGORY']}”.", f"Known: {known}.")
    if values["STRENGTH"] not in STRENGTHS:
        raise malformed(path, "unknown STRENGTH.", f"Known: {', '.join(STRENGTHS)}.")
    inputs = file_names(path, "INPUTS", values["INPUTS"])
    outputs = file_names(path, "OUTPUTS", values["OUTPUTS"])
    wrong = values["WRONG"]
    if not isinstance(wrong, dict) or len(wrong) < 2:
        raise malformed(path, "`WRONG` needs two solutions or more.", "Add plausible ones.")
    return SuiteTask(
        spec=TaskSpec(
            suite=suite,
            suite_version=version,
            key=path.stem.replace("_", "-"),
            title=values["TITLE"],
            category=values["CATEGORY"],
            query=values["QUERY"].strip(),
            inputs=inputs,
            outputs=outputs,
            language=values["LANGUAGE"],
            strength=values["STRENGTH"],
            file_types=tuple(sorted({Path(n).suffix.lstrip(".") for n in inputs + outputs})),
        ),
        position=position,
        note=values["NOTE"],
        degenerate=values["DEGENERATE"],
        material=borrowed,
        unavailable=unavailable(values["NEEDS"], borrowed) if borrowed else "",
        makes_inputs="make_inputs" in functions,
        has_browser=values["BROWSER"] is True,
        path=path,
        digest=hashlib.sha256(path.read_bytes()).hexdigest(),
        reference=read_solution(path, "reference", values["REFERENCE"]),
        wrong=tuple(read_solution(path, str(name), value) for name, value in wrong.items()),
    )


def borrow(path: Path, constants: dict[str, Any], material: Material) -> MaterialTask:
    """The imported part of the task, with its query and inputs put among `constants`."""
    index = str(constants["INDEX"])
    borrowed = material.tasks.get(index)
    if borrowed is None:
        borrowed = MaterialTask(index, "", (MaterialFile("the task itself"),))
    constants["QUERY"] = borrowed.query
    constants["INPUTS"] = [file.name for file in borrowed.inputs]
    return borrowed


def unavailable(needs: str, borrowed: MaterialTask) -> str:
    """Why the task cannot be played, as a sentence; "" when it can."""
    if borrowed.missing:
        names = ", ".join(borrowed.missing)
        return f"The imported checkout does not have {names}."
    return needs


def read_module(path: Path) -> tuple[dict[str, Any], set[str]]:
    """Top-level constants in capitals, by literal, and the names of top-level functions."""
    try:
        tree = ast.parse(path.read_text("utf-8"), filename=path.name)
    except (SyntaxError, UnicodeDecodeError, ValueError) as error:
        raise malformed(path, f"not valid Python: {error}.", "Mend that line.") from error
    constants: dict[str, Any] = {}
    functions: set[str] = set()
    others: dict[str, int] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            functions.add(node.name)
        for name, value in assigned(node):
            if name not in KNOWN:
                others[name] = node.lineno
                continue
            try:
                constants[name] = ast.literal_eval(value)
            except (ValueError, TypeError) as error:  # TypeError: a key such as [1]
                raise malformed(
                    path,
                    f"line {node.lineno}: `{name}` is not a plain literal.",
                    "Write it without calls, names or f-strings.",
                ) from error
    refuse_misspelt(path, others, KNOWN - set(constants))
    return constants, functions


def assigned(node: ast.stmt) -> list[tuple[str, ast.expr]]:
    """The names that a statement gives values, where each gets one of its own."""
    if isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
        return [(node.target.id, node.value)]
    if isinstance(node, ast.Assign):
        return [(t.id, node.value) for t in node.targets if isinstance(t, ast.Name)]
    return []


def refuse_misspelt(path: Path, others: Mapping[str, int], absent: Collection[str]) -> None:
    """A constant that nobody reads, but much like one that is not there, is a slip."""
    for name, line in others.items():
        meant = difflib.get_close_matches(name, sorted(absent), 1, cutoff=0.8)
        if name.isupper() and meant:
            raise malformed(
                path,
                f"line {line}: nothing reads `{name}`.",
                f"If `{meant[0]}` is meant, call it so; else choose a name less like it.",
            )


def file_names(path: Path, constant: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(
        isinstance(n, str) and SAFE_NAME.fullmatch(n) and not n.startswith(".") for n in value
    ):
        raise malformed(path, f"`{constant}` must be a list of plain file names.", "Mend it.")
    return tuple(value)


def read_solution(path: Path, name: str, value: object) -> Solution:
    if (
        not isinstance(value, dict)
        or not isinstance(value.get("cells"), list)
        or not all(isinstance(cell, str) for cell in value["cells"])
        or not isinstance(value.get("answer"), str)
    ):
        raise malformed(path, f"solution “{name}” needs `cells` and `answer`.", "Add them.")
    cells = tuple(cell.strip("\n") for cell in value["cells"])
    return Solution(name, cells, value["answer"].strip(), str(value.get("why", "")))
