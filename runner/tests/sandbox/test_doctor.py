"""The doctor's table: all well on a host that runs the tests, a remedy for what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.sandbox import doctor, host_findings, host_tools

pytestmark = pytest.mark.sandbox


def test_this_host_gives_the_promise(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.main() == 0
    table = capsys.readouterr().out
    assert "MISSING" not in table
    assert "6 × 7 = 42" in table


def test_every_missing_part_comes_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYBENCH_KERNEL_ENV", str(tmp_path / "none"))
    assert doctor.main() == 1
    table = capsys.readouterr().out
    assert "Run `apt-get install bubblewrap" in table
    assert "`make run` makes it" in table
    for finding in doctor.diagnose():
        assert bool(finding.remedy) is not finding.is_fine


@pytest.mark.parametrize(("hard", "is_fine"), [(1024, False), (65_536, True)])
def test_it_looks_how_many_descriptors_there_may_be(
    monkeypatch: pytest.MonkeyPatch, hard: int, is_fine: bool
) -> None:
    monkeypatch.setattr(
        "runner.sandbox.host_findings.resource.getrlimit", lambda kind: (hard, hard)
    )
    fact, remedy = host_findings.look_at_descriptors()
    assert str(hard) in fact
    assert bool(remedy) == ("LimitNOFILE" in remedy) == (not is_fine)


def test_it_says_where_there_are_no_overlays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert host_findings.look_at_overlays() == ("granted", "")
    monkeypatch.setattr(host_findings, "run", lambda argv: "unknown filesystem type 'overlay'")
    assert "Load the module `overlay`" in host_findings.look_at_overlays()[1]


@pytest.mark.parametrize(("total", "is_fine"), [(100, False), (4096, True)])
def test_it_looks_at_what_is_counted_for_all_sandboxes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, total: int, is_fine: bool
) -> None:
    monkeypatch.setattr(Path, "read_text", lambda path: f"{total}\n")
    _, remedy = host_findings.look_at_shares()
    assert bool(remedy) == ("fs.inotify.max_user_instances" in remedy) == (not is_fine)


SHELL = "lib/chromium/chromium-headless-shell"


@pytest.mark.parametrize(
    ("key", "there", "is_fine", "says"),
    [
        ("chromium", (SHELL, "lib/chromium/chromium"), True, ""),
        (
            "chromium",
            ("lib/chromium/chromium",),
            False,
            "five times the CPU. Run `apt-get install chromium",
        ),
        ("chromium", ("bin/chromium",), False, "need it wait. Run `apt-get install"),
        ("chromium", (), False, "need it wait. Run `apt-get install chromium-headless-shell`"),
        ("ffmpeg", ("bin/ffmpeg",), True, ""),
        ("ffmpeg", (), False, "need it wait. Run `apt-get install ffmpeg`"),
        ("tesseract", (), False, "need it wait. Run `apt-get install tesseract-ocr`"),
        ("zbar", ("lib/some-linux-gnu/libzbar.so.0",), True, ""),
        ("zbar", (), False, "need it wait. Run `apt-get install libzbar0`"),
    ],
)
def test_tool_of_checks_that_is_missing_is_said_and_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    key: str,
    there: tuple[str, ...],
    is_fine: bool,
    says: str,
) -> None:
    for name in there:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.setattr(host_tools, "USR", tmp_path)
    [finding] = [check.look() for check in host_findings.CHECKS if check.name == key]
    assert (finding.is_fine, finding.is_vital) == (is_fine, False)
    assert says in finding.remedy
