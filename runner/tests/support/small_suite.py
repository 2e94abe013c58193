"""A suite of two quick tasks for tests that play whole attempts, and what playing one needs."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from conftest import served
from runner.contract import Opening, Step
from runner.scripted.replies import Catalogue
from runner.scripted.server import ScriptedServer
from runner.suite.reader import Suite, load_suite
from runner.task_code.inputs import Instance

SUITE = """
name = "small"
version = "1"
title = "Small"
seed = 7
[limits]
max_turns = 3
cell_timeout_s = 20
attempt_timeout_s = 120
check_timeout_s = 30
[[categories]]
key = "maths"
title = "Maths"
[[categories]]
key = "text"
title = "Text"
"""

DOUBLE = '''
"""Double a number that stands in a file."""

TITLE = "Double"
CATEGORY = "maths"
QUERY = "Double the number in ./data/number.txt, save it to ./output/double.txt, and tell it."
INPUTS = ["number.txt"]
OUTPUTS = ["double.txt"]
REFERENCE = {
    "cells": [
        "n = int(open('data/number.txt').read())\\nopen('output/double.txt', 'w').write(str(2 * n))"
        "\\nprint('double:', 2 * n)",
    ],
    "answer": "It is «double».",
}
WRONG = {
    "same": {"why": "copies", "cells": ["open('output/double.txt', 'w').write('1')"],
             "answer": "1"},
    "none": {"why": "writes nothing", "cells": ["1"], "answer": "2"},
}


def make_inputs(seed, data):
    (data / "number.txt").write_text(str(seed * 3))
    return {}


def check(case):
    want = str(case.seed * 6)
    case.equal("double", case.require_file("double.txt").read_text(), want, "double.txt")
    case.expect("answer", want in case.answer, want, case.answer)
'''

STRICTER = DOUBLE.replace(
    'case.expect("answer", want in case.answer, want, case.answer)',
    'case.expect("answer", case.answer == want, want, case.answer)',
)

GREET = '''
"""Greet somebody by name."""

TITLE = "Greet"
CATEGORY = "text"
QUERY = "Write “Hello «name»” to ./output/hello.txt."
INPUTS = []
OUTPUTS = ["hello.txt"]
REFERENCE = {"cells": ["open('output/hello.txt', 'w').write('Hello «name»')"], "answer": "Done."}
WRONG = {
    "nobody": {"why": "no name", "cells": ["open('output/hello.txt', 'w').write('Hello')"],
               "answer": "Done."},
    "none": {"why": "writes nothing", "cells": ["1"], "answer": "Done."},
}


def make_inputs(seed, data):
    return {"name": f"guest-{seed}"}


def check(case):
    want = f"Hello {case.parameters['name']}"
    case.equal("greeting", case.require_file("hello.txt").read_text(), want, "hello.txt")
'''


def write_small(root: Path, **replaced: str) -> Path:
    """The suite's folder; `replaced` gives tasks another text."""
    folder = root / "small"
    (folder / "tasks").mkdir(parents=True)
    (folder / "suite.toml").write_text(SUITE)
    for name, text in {"double": DOUBLE, "greet": GREET, **replaced}.items():
        (folder / "tasks" / f"{name}.py").write_text(text)
    return folder


def small_suite(root: Path, **replaced: str) -> Suite:
    return load_suite(write_small(root, **replaced))


def double_of(seed: int, root: Path) -> Instance:
    """The instance of `double` as its generator makes it, without a sandbox."""
    data = root / "data"
    data.mkdir(parents=True)
    (data / "number.txt").write_text(str(seed * 3))
    return Instance(data, "", {}, (), seed)


def scripted(suite: Suite) -> AbstractContextManager[ScriptedServer]:
    """The scripted endpoints, knowing this suite."""
    return served(ScriptedServer(catalogue=Catalogue([suite])))


@dataclass
class Watcher:
    """A listener that remembers, and stops when `stop` is set."""

    stop: asyncio.Event = field(default_factory=asyncio.Event)
    opening: Opening | None = None
    steps: list[Step] = field(default_factory=list)

    async def opened(self, opening: Opening) -> None:
        self.opening = opening

    async def step(self, step: Step) -> None:
        self.steps.append(step)

    def should_stop(self) -> bool:
        return self.stop.is_set()
