"""A pytest plugin: the slowest files come first, and what cost most is printed at the end.

Seconds of each file are kept in var/test-seconds.json; the copy in .ci/ gives the order. A test
that is one of a sample (`@pytest.mark.one_of(group, name)`) is played where its name is drawn. A
test that is skipped for a reason that .ci/skips.txt does not list fails the whole.
"""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Mapping
from pathlib import Path

import pytest

from pybench_site.local.sampling import draw

SHIPPED = Path(".ci", "test-seconds.json")  # in the folder that pytest takes for its root
WRITTEN = Path("var", "test-seconds.json")
SKIPS = Path(".ci", "skips.txt")
SLOWEST = 10


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(FixtureClock())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(CostReport(config.rootpath))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Needs `--no-loadscope-reorder` where files are shared among processes."""
    leave_out_what_is_not_drawn(config, items)
    seconds: dict[str, float] = json.loads((config.rootpath / SHIPPED).read_text("utf-8"))
    # A new file comes first: nobody knows how long it takes.
    items.sort(key=lambda item: -seconds.get(file_of(item.nodeid), float("inf")))


def leave_out_what_is_not_drawn(config: pytest.Config, items: list[pytest.Item]) -> None:
    groups: dict[str, set[str]] = {}
    marks = {item: item.get_closest_marker("one_of") for item in items}
    for mark in filter(None, marks.values()):
        group, name = mark.args
        groups.setdefault(group, set()).add(name)
    drawn = {group: draw(names) for group, names in groups.items()}
    out = [item for item, mark in marks.items() if mark and mark.args[1] not in drawn[mark.args[0]]]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if item not in out]


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


class FixtureClock:
    """Seconds that fixtures of more than one test take to make, sent with the tests' reports."""

    def __init__(self) -> None:
        self.item: pytest.Item | None = None
        self.within: list[float] = []  # of the fixtures that are being made: those inside them

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.item = item

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object]
    ) -> Generator[None, object, object]:
        started = time.monotonic()
        self.within.append(0.0)
        try:
            return (yield)
        finally:
            took_s = time.monotonic() - started
            own_s = took_s - self.within.pop()
            if self.within:
                self.within[-1] += took_s
            if self.item is not None and fixturedef.scope != "function":
                self.item.user_properties.append((f"fixture {fixturedef.argname}", own_s))


class CostReport:
    """The sums, in the process that has all the reports."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[str, float] = defaultdict(float)
        self.fixtures: dict[str, float] = defaultdict(float)
        self.made: Counter[str] = Counter()
        self.skips: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not isinstance(report, pytest.SubtestReport):  # its test's seconds hold its own
            self.files[file_of(report.nodeid)] += report.duration
        if report.skipped and isinstance(report.longrepr, tuple):
            self.skips[report.longrepr[2].removeprefix("Skipped: ")] += 1
        if report.when == "teardown":
            for name, value in report.user_properties:
                if name.startswith("fixture ") and isinstance(value, float):
                    self.fixtures[name.removeprefix("fixture ")] += value
                    self.made[name.removeprefix("fixture ")] += 1

    @property
    def unlisted_skips(self) -> list[str]:
        lines = (self.root / SKIPS).read_text("utf-8").splitlines()
        listed = tuple(line for line in lines if line and not line.startswith("#"))
        return [reason for reason in self.skips if not reason.startswith(listed)]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.unlisted_skips and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        write = terminalreporter.write_line
        if len(self.files) > SLOWEST:
            keep(self.files, self.root / WRITTEN)
            write(f"{sum(self.files.values()):.0f} s in {len(self.files)} files, the slowest:")
            for name, seconds in slowest(self.files):
                write(f"{seconds:7.1f} s  {name}")
            write("fixtures of more than one test, the slowest:")
            for name, seconds in slowest(self.fixtures):
                write(f"{seconds:7.1f} s  {name}, made {self.made[name]} times")
        for reason, count in self.skips.most_common():
            is_unlisted = reason in self.unlisted_skips
            note = "NOT LISTED in .ci/skips.txt: " if is_unlisted else ""
            write(f"{count:4} skipped: {note}{reason}", red=is_unlisted)


def slowest(seconds: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(seconds.items(), key=lambda row: -row[1])[:SLOWEST]


def keep(files: Mapping[str, float], path: Path) -> None:
    """Write the seconds of these files over those of an earlier run; other files keep theirs."""
    path.parent.mkdir(exist_ok=True)
    earlier = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    told = earlier | {name: round(seconds, 1) for name, seconds in files.items()}
    path.write_text(json.dumps(dict(sorted(told.items())), indent=0) + "\n", "utf-8")
