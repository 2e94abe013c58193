"""Records for judges: names withheld, cuts marked, bounds kept."""

from __future__ import annotations

from runner.judge.messages import (
    build_messages,
    cut_between_names,
    estimate_tokens,
    texts_of_message,
)
from runner.judge.profile import JudgeForm, JudgeProfile
from runner.judge.shown_attempt import ShownFile, ShownStep
from runner.scripted.judges import view_of
from runner.tests.judge.shown import make_shown


def test_names_of_the_model_and_its_account_are_withheld() -> None:
    shown = make_shown(
        answer="I am GPT-4o by Open Lab; gpt-4o says so.",
        path="gpt-4o.csv",
        code="# written by alice",
        names=("gpt-4o", "Open Lab", "alice", "ai"),
    )
    text = texts_of_message(build_messages("single", shown)[1])
    assert not any(name in text.lower() for name in ("gpt-4o", "open lab", "alice"))
    assert "I am [name withheld] by [name withheld]; [name withheld] says so." in text


def test_cuts_are_marked_in_the_heading() -> None:
    view = view_of(build_messages("single", make_shown(output="x" * 10_000, answer="y" * 9_000)))
    headings = [heading for heading, _ in view.blocks]
    cut = " characters are left out in the middle)"
    assert f"## step 2, output (6,000 of 10,000{cut}" in headings
    assert any(heading.startswith("## final answer (1,0") for heading in headings)
    assert "## step 1, output" in headings


def test_cut_goes_through_no_name() -> None:
    name = "gpt-4o"
    for shift in range(9):  # of a name across the cut at 2,000 characters from either end
        start, end = "x" * (1_999 - shift), "z" * (1_999 - shift)
        text = f"{start} {name} {'y' * 10**6} {name} {end}"
        view = view_of(build_messages("single", make_shown(output=text, names=(name,))))
        shown = next(body for heading, body in view.blocks if "step 2, output" in heading)
        parts = shown.replace("[name withheld]", " ").split()
        assert all(set(part) in ({"x"}, {"y"}, {"z"}) for part in parts), (shift, parts)
    kept, left_out = cut_between_names(f"{name} " * 10**6, 4_000, (name,))
    assert set(kept.split()) == {name}
    assert len(kept) + left_out == 7 * 10**6 + 1


def test_long_attempts_keep_their_first_and_last_steps() -> None:
    steps = tuple(ShownStep(n, code=f"print({n})", output=str(n)) for n in range(1, 101))
    messages = build_messages("single", make_shown(steps=steps))
    text = texts_of_message(messages[1])
    assert "## steps 21 to 80 are left out" in text
    assert [f"print({n})" in text for n in (20, 50, 81)] == [True, False, True]
    assert view_of(messages).outside == ""


def test_largest_attempt_stays_within_bounds() -> None:
    steps = tuple(ShownStep(n, "t" * 90_000, "c" * 90_000, "o" * 90_000) for n in range(1, 500))
    shown = make_shown(steps=steps, answer="a" * 10**6, inputs="i" * 10**6, left_out="l" * 10**6)
    messages = build_messages("single", shown)
    assert len(texts_of_message(messages[1])) < 520_000
    files = make_shown()
    many = type(files)(files.query, files=(ShownFile("a", "1 bytes", "t" * 10**5),) * 500)
    assert len(texts_of_message(build_messages("single", many)[1])) < 80_000
    assert estimate_tokens(build_messages("single", many)) < 30_000


def test_profile_is_another_one_with_any_other_setting() -> None:
    base = JudgeProfile("m")
    others = [
        JudgeProfile("n"),
        JudgeProfile("m", JudgeForm.PAIRWISE),
        JudgeProfile("m", takes_images=True),
        JudgeProfile("m", temperature=0.5),
        JudgeProfile("m", extra_body={"seed": 1}),
    ]
    assert JudgeProfile("m").digest == base.digest
    assert len({base.digest, *(one.digest for one in others)}) == 6
    assert base.prompt_version == "single-1"
    assert base.prompt_digest != others[1].prompt_digest
