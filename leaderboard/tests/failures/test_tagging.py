"""Failure tags and searched text as rows: when an attempt ends, and again on demand."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from PIL import Image

from leaderboard.failures import tagging
from leaderboard.failures.answer_claims import claims_a_file
from leaderboard.failures.tagging import conclude, conclude_missed, conclude_safely
from leaderboard.failures.tags import TAGS_VERSION
from leaderboard.handoff import attempts
from leaderboard.models import Artifact, Attempt, AttemptText, FailureTag, Run, pack
from leaderboard.storage import attempt_rows
from leaderboard.tests.support.jobs import claim, judged
from leaderboard.tests.support.rows import (
    add_file,
    add_step,
    end_judged,
    end_void,
    failing_verdict,
    finish_run,
    make_run,
    make_step,
    make_suite,
    printed,
    raised,
    start_run,
    tell_failure,
)
from leaderboard.tests.support.slow_reading import never_done
from runner.contract import StepStatus

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> Run:
    return finish_run(make_run(make_suite()), 4)


def attempt_at(run: Run, key: str) -> Attempt:
    attempt: Attempt = run.attempts.select_related("task", "run").get(task__key=key)
    return attempt


def tags_after(attempt: Attempt) -> list[str]:
    conclude(attempt.pk)
    return list(attempt.tags.values_list("tag", flat=True))


def test_a_failed_attempt_gets_its_tags_in_order(run: Run) -> None:
    attempt = tell_failure(attempt_at(run, "quarterly-sales"))
    assert tags_after(attempt) == ["format", "repeated-error", "wrong-column", "wrong-value"]
    positions = list(attempt.tags.values_list("position", "version"))
    assert positions == [(i, str(TAGS_VERSION)) for i in range(len(positions))]


def test_concluding_twice_changes_nothing(run: Run) -> None:
    attempt = tell_failure(attempt_at(run, "quarterly-sales"))
    first = tags_after(attempt)
    assert tags_after(attempt) == first
    assert AttemptText.objects.count() == 1


def test_the_text_holds_code_outputs_and_answer_without_escapes(run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    step = make_step(
        1,
        code="needle_in_code = 1\x00",
        outputs=[printed("\x1b[31mneedle in \x1b[0moutput \ud800"), raised(value="'needle'")],
        status=StepStatus.ERROR,
    )
    add_step(attempt, step)
    conclude(attempt.pk)
    body = attempt.text.body
    for needle in ("needle_in_code", "needle in output", "KeyError: 'needle'", "The totals"):
        assert needle in body
    assert "\x00" not in body
    assert "\x1b" not in body


def test_the_text_is_bounded_and_keeps_the_end_of_an_output(run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    for index in range(1, 31):
        add_step(attempt, make_step(index, outputs=[printed("x" * 300_000 + f"end{index}")]))
    conclude(attempt.pk)
    assert len(attempt.text.body) <= 64_100
    assert "end1" in attempt.text.body


def test_only_the_try_that_counts_is_returned(run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    add_step(attempt, make_step(1, outputs=[raised()], status=StepStatus.ERROR), try_number=1)
    add_step(attempt, make_step(1, code="fine = 1"), try_number=2)
    assert "wrong-column" not in tags_after(attempt)
    assert "KeyError" not in attempt.text.body


def test_a_void_attempt_is_the_infrastructures(run: Run) -> None:
    assert tags_after(end_void(attempt_at(run, "static-page"))) == ["infra-endpoint"]


def test_an_open_attempt_is_left_alone() -> None:
    attempt = make_run(make_suite()).attempts.first()
    assert attempt is not None
    conclude(attempt.pk)
    assert not FailureTag.objects.exists()


@pytest.mark.parametrize(
    ("key", "name", "content", "is_placeholder"),
    [
        ("rotate-photo", "upright.png", "white", True),
        ("rotate-photo", "upright.png", "drawn", False),
        ("quarterly-sales", "quarters.csv", b"a,b\n0,0\n0,0\n", True),
        ("quarterly-sales", "quarters.csv", b"a,b\n0,1\n0,0\n", False),
        ("quarterly-sales", "quarters.csv", b"\xff\xfe\x00", False),
    ],
)
def test_placeholders_are_seen_in_the_stored_bytes(
    run: Run, key: str, name: str, content: Any, is_placeholder: bool
) -> None:
    attempt = end_judged(attempt_at(run, key), passed=False)
    if isinstance(content, str):
        content = picture(content)
    add_file(attempt, name, content)
    seal(attempt)
    assert ("placeholder" in tags_after(attempt)) == is_placeholder


def test_an_input_copied_unchanged_is_a_placeholder(run: Run) -> None:
    attempt = end_judged(attempt_at(run, "quarterly-sales"), passed=False)
    add_file(attempt, "sales.csv", b"a,b\n1,2\n", Artifact.Role.INPUT)
    add_file(attempt, "quarters.csv", b"a,b\n1,2\n")
    attempt.opening = pack({"query": "q", "messages": []})
    attempt.save()
    seal(attempt)
    assert "placeholder" in tags_after(attempt)


CLAIMED = (
    "I saved the result to output/a.csv.", "I've written the summary to summary.txt.",
    "We have successfully exported the table.", "The file output/a.csv has been created.",
    "Saved to output/a.csv", "Results saved to output/a.csv.", "The card is saved.",
    "The chart is now available at output/plot.png.", "All files were generated successfully.",
    "The results are stored in results.json.", "- Created `quarters.csv` with four rows",
    "The report has been generated.", "quarters.csv is ready.",
    "The picture is in ./output/grey.png.", "You find it at ./output/grey.png.",
    "结果已保存到 output/a.csv", "图表生成了",
)  # fmt: skip
NOT_CLAIMED = (
    "two servers wrote to the file at 12:30am", "The log was created by server A at 12:30.",
    "The novel was written in 1851.", "The company generated 5 million in sales.",
    "The model was placed second.", "The file is located in ./data.",
    "Data produced in 2020 are ready for analysis.", "I could not save the file.",
    "The file should be saved to output/a.csv.", "Users created 40 accounts.",
    "No output was produced.", "The table shows what each server stored.",
    "Backups stored at 3 in the night were lost.", "The rows are in the order of the dates.",
    "Three clients have created the same table.", "无法保存到 output/a.csv",
)  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "is_claimed"),
    [*((s, True) for s in CLAIMED), *((s, False) for s in NOT_CLAIMED)],
)
def test_only_what_was_claimed_is_a_claim(sentence: str, is_claimed: bool) -> None:
    assert claims_a_file(sentence, [], ["a.csv"]) is is_claimed


def test_a_missing_output_that_was_claimed_is_a_false_success(run: Run) -> None:
    attempt = end_judged(attempt_at(run, "quarterly-sales"), passed=False)
    seal(attempt)
    assert "false-success" in tags_after(attempt)


def test_retag_finds_what_differs(run: Run, capsys: Any) -> None:
    attempt = tell_failure(attempt_at(run, "quarterly-sales"))
    call_command("retag")
    assert f"{run.attempts.count()} attempts retagged" in capsys.readouterr().out
    before = list(attempt.tags.values_list("tag", flat=True))
    attempt.tags.update(version="0")
    attempt.tags.filter(position=0).update(tag="no-network")
    call_command("retag", "--stale")
    assert capsys.readouterr().out == "1 attempts retagged, 1 with tags that differ\n"
    assert list(attempt.tags.values_list("tag", flat=True)) == before


def test_a_body_that_cannot_be_read_costs_no_result(run: Run) -> None:
    attempt = attempt_at(run, "static-page")
    Attempt.objects.filter(pk=attempt.pk).update(closing=b"no zstd")
    assert conclude_safely(attempt.pk) is False
    assert not attempt.tags.exists()


def test_the_sweep_finds_what_nobody_tagged(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    broken = attempt_at(run, "static-page")
    Attempt.objects.filter(pk=broken.pk).update(closing=b"no zstd")
    assert conclude_missed() == 7
    assert AttemptText.objects.count() == 8
    assert conclude_missed() == 0


def picture(kind: str) -> bytes:
    image = Image.new("RGB", (40, 30), "white")
    if kind == "drawn":
        image.putpixel((3, 3), (0, 0, 0))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def seal(attempt: Attempt) -> None:
    attempt_rows.save_verdict(attempt.pk, attempt.tries, failing_verdict())


def test_a_result_that_is_handed_back_is_tagged_and_found() -> None:
    queued = start_run(2)
    failed, lost = claim(queued.pk, 2, "worker")
    attempts.record_result(failed, judged(False))
    attempt = Attempt.objects.get(pk=failed.attempt_id)
    assert "Done." in attempt.text.body
    attempts.release(lost)
    assert not Attempt.objects.filter(pk=lost.attempt_id, text__isnull=False).exists()


def test_conclusion_that_takes_too_long_is_left_to_the_sweep(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    queued = start_run(3, concurrency=3)
    slow, next_one, last = claim(queued.pk, 3, "worker")
    with monkeypatch.context() as patch:
        patch.setattr(tagging, "conclusion_of", never_done)
        patch.setattr(tagging, "CPU_S", 0.1)
        attempts.record_result(slow, judged(False))
        assert "is left to the sweep" in caplog.text
        patch.setattr(tagging, "CPU_S", 600.0)
        attempts.record_result(next_one, judged(False))  # is not even begun
    assert Attempt.objects.get(pk=slow.attempt_id).status == "done"
    assert attempts.renew([last])
    assert not AttemptText.objects.exists()
    assert conclude_missed() == 2
    tagging._resting.clear()
