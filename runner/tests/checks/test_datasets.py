"""Tables as data sets, outliers by what became of them, answers label by label."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.checks import Case, Stop
from runner.checks.data import datasets, outliers
from runner.checks.data.tables import Table, source
from runner.checks.inputs import stand_ins
from runner.checks.text import labelled_values

TV = Table(
    "tv.csv",
    ("network", "game", "cost"),
    (
        ("NBC", "1", "10"),
        ("CBS", "1", "12.5"),
        ("NBC", "2", "20"),
        ("CBS", "3", "7.5"),
        ("Fox", "4", ""),
    ),
)
HEADS_MEAN = (("network", "NBC", "CBS", "Fox"), ("cost", "15", "10", ""))


def table(*columns: tuple[str, ...]) -> Table:
    """A table out of columns, each its name and then its cells."""
    heads = tuple(column[0] for column in columns)
    return Table("t.csv", heads, tuple(zip(*(column[1:] for column in columns), strict=True)))


def case(answer: str = "", query: str = "") -> Case:
    return Case(data=Path(), output=Path(), answer=answer, query=query)


def fault(checked: Case) -> str:
    """The first failing message, "" when everything holds."""
    failed = [str(a["message"]) for a in checked.assertions if not a["passed"]]
    assert checked.assertions, "the check looked at nothing"
    return failed[0] if failed else ""


def test_the_same_rows_in_any_order_once_or_twice(subtests: pytest.Subtests) -> None:
    for rows, says in [
        (TV.rows, ""),
        (tuple(reversed(TV.rows)), ""),
        (TV.rows + TV.rows, ""),
        ((*TV.rows[:4], ("Fox", 4.0, None)), ""),
        (TV.rows[:4], "has 4 rows"),
        ((*TV.rows[:4], ("Fox", "4", "1")), "1 are not in the data"),
        (TV.rows + TV.rows[:1], "has 6 rows"),
    ]:
        with subtests.test(rows=rows, says=says):
            checked = case()
            found = Table("t.csv", TV.columns, rows)
            datasets.expect_same_rows(checked, found, TV, copies=(1, 2))
            assert (says in fault(checked)) if says else not fault(checked)


@pytest.mark.parametrize(("more", "says"), [(5, ""), (6, "6 more columns than the 3")])
def test_data_among_a_crowd_of_columns_is_refused(more: int, says: str) -> None:
    checked = case()
    heads = (*(f"cost (true {n})" for n in range(more)), *TV.columns)
    found = Table("t.csv", heads, tuple((*("1",) * more, *row) for row in TV.rows))
    datasets.expect_same_rows(checked, found, TV)
    assert says in fault(checked) if says else not fault(checked)


def test_cells_in_full_width_signs_are_others() -> None:
    assert datasets.cell("12.5") == datasets.cell(" 12.50") == datasets.cell("12.5\xa0")
    assert len({datasets.cell(text) for text in ("12.5", "１2.5", "12．5", "¹2.5", "🯱2.5")}) == 5


def test_column_names_count_by_their_letters() -> None:
    found = datasets.renamed(
        table(("Total Cost", "1"), ("GAME", "2"), ("net_x", "3")), ["total_cost", "game", "net"]
    )
    assert found.columns == ("total_cost", "game", "net")


def test_long_identifiers_count_by_all_digits_that_a_spreadsheet_keeps() -> None:
    own = datasets.cell("1622890210044477440")
    assert own == datasets.cell(1.6228902100444774e18) == datasets.cell("1622890210044470000")
    assert own != datasets.cell("1622890210144477440")
    assert datasets.cell(12345678901.9999999) == datasets.cell("12345678902")


def test_several_header_lines_become_one() -> None:
    found = datasets.flattened(
        Table(
            "t.csv",
            ("", "cost", "cost"),
            (("", "mean", "sum"), ("network", "", ""), ("NBC", "15", "30"), ("CBS", "10", "20")),
        )
    )
    assert found.columns == ("network", "cost mean", "cost sum")
    assert len(found.rows) == 2


def test_aggregates_are_recognised_whatever_made_them(subtests: pytest.Subtests) -> None:
    for columns, says in [
        (HEADS_MEAN, ""),
        ((("network", "Fox", "CBS", "NBC"), ("n", "1", "2", "2")), ""),
        ((("network", "NBC", "CBS", "Fox"), ("spread", "7.07", "3.54", "")), ""),
        ((("network", "NBC", "CBS", "Fox"), ("cost", "15", "15", "15")), "is no sum"),
        ((("network", "NBC", "CBS", "Fox"), ("cost_mean", "30", "20", "20")), "is no sum"),
        ((("network", "NBC", "CBS", "Fox"), ("total cost", "30", "20", "0")), ""),
        ((("network", "NBC", "CBS", "Fox"), ("games", "20", "20", "10")), "is no sum"),
        ((("network", "NBC", "CBS", "Fox"), ("cost_std", "7.1", "0.0", "")), "is no sum"),
        ((("network", "NBC", "CBS", "Fox"), ("colour", "a", "b", "c")), "holds no figure"),
        ((("network", "NBC", "CBS"), ("cost", "15", "10")), "one row for each of"),
        ((("network", "NBC", "NBC", "CBS", "Fox"), ("cost", "10", "20", "10", "")), "one row"),
        ((("cost", "15", "10", "20"),), "lacks the column"),
    ]:
        with subtests.test(columns=columns, says=says):
            checked = case()
            datasets.expect_aggregated(
                checked, table(*columns), "network", [datasets.groups_of(TV, "network")]
            )
            assert (says in fault(checked)) if says else not fault(checked)


def test_one_row_of_each_group_is_no_aggregate() -> None:
    source = table(
        ("key", "a", "a", "b", "b"), *((name, "5", "9", "7", "1") for name in ("x", "y", "z"))
    )
    first = table(("key", "a", "b"), *((name, "5", "7") for name in ("x", "y", "z")))
    checked = case()
    datasets.expect_aggregated(checked, first, "key", [datasets.groups_of(source, "key")])
    assert "one row of each group" in fault(checked)
    for column, says in (("x", "one row of each group"), ("first_x", "")):
        checked = case()
        few = table(("key", "a", "b"), (column, "5", "7"))
        datasets.expect_aggregated(checked, few, "key", [datasets.groups_of(source, "key")])
        assert says in fault(checked) if says else not fault(checked)


MEASURED = [str(value) for value in (10, 11, 12, 13, 14, 15, 16, 17, 18, 19) * 4] + ["90"]
DAYS = Table("d.csv", ("day", "m"), tuple((str(n), m) for n, m in enumerate(MEASURED)))


def treated(change: dict[int, str | None]) -> str:
    """Message of the check on DAYS with some cells changed, or rows (None) gone."""
    rows = [
        (day, change.get(n, m))
        for n, (day, m) in enumerate(DAYS.rows)
        if change.get(n, m) is not None
    ]
    checked = case()
    found = Table("t.csv", DAYS.columns, tuple(rows))
    outliers.expect_outliers_treated(checked, found, DAYS, ["day"], ["m"], 3)
    return fault(checked)


def test_an_outlier_may_be_dropped_blanked_capped_or_replaced(subtests: pytest.Subtests) -> None:
    for new in [None, "", "50", "28.5", "14.5"]:
        with subtests.test(new=new):
            assert treated({40: new}) == ""


def test_what_was_no_outlier_stays(subtests: pytest.Subtests) -> None:
    rows: list[tuple[dict[int, str | None], str]] = [
        ({}, "still holds 1 of 1"),
        ({40: "89.999"}, "still holds 1 of 1"),
        ({40: "80"}, "still holds 1 of 1"),
        ({40: "95"}, "changed that should not"),
        ({40: None, 5: None, 6: None}, "no outlier in any column"),
        ({40: "9e99"}, "m: 90 became 9e99"),
        ({40: "20", 4: "15", 5: "14.5", 6: "14.5"}, "changed that should not"),
        (dict.fromkeys(range(40)), "no outlier in any column"),
    ]
    for change, says in rows:
        with subtests.test(change=change, says=says):
            assert says in treated(change)


def test_a_cell_that_was_rounded_is_as_it_was() -> None:
    exact = Table("d.csv", DAYS.columns, tuple((day, f"{m}.123456") for day, m in DAYS.rows))
    rows = [(day, "28.5" if m == "90.123456" else str(m)[:5]) for day, m in exact.rows]
    checked = case()
    found = Table("t.csv", DAYS.columns, tuple(rows))
    outliers.expect_outliers_treated(checked, found, exact, ["day"], ["m"], 3)
    assert fault(checked) == ""


def test_of_many_changed_cells_none_may_become_an_outlier() -> None:
    many = Table("d.csv", ("day", "m"), tuple((str(n), m) for n, m in enumerate(MEASURED * 60)))
    rows = [(day, "20" if m == "90" else m) for day, m in many.rows]
    for new, says in (("15", ""), ("19", ""), ("-50", "became -50"), ("30", "became 30")):
        found = Table("t.csv", many.columns, (("0", new), *rows[1:]))
        checked = case()
        outliers.expect_outliers_treated(checked, found, many, ["day"], ["m"], 3)
        assert says in fault(checked) if says else not fault(checked)


PAIRS = Table(
    "p.csv",
    ("day", "a", "b"),
    (
        *((str(n), str(n % 10), str(n * 7 % 10)) for n in range(60)),
        *(("60", "18", "2"), ("61", "4", "19"), ("62", "40", "40"), ("63", "50", "5")),
    ),
)


@pytest.mark.parametrize(
    ("gone", "says"),
    [
        ({60, 63}, ""),
        ({62, 63}, ""),
        ({1, 2}, "no outlier in any column"),
        ({62, 1}, "no outlier in any column"),
    ],
)
def test_rows_may_go_that_are_remote_by_all_columns_together(gone: set[int], says: str) -> None:
    kept = tuple(row for n, row in enumerate(PAIRS.rows) if n not in gone)
    checked = case()
    found = Table("t.csv", PAIRS.columns, kept)
    outliers.expect_outliers_treated(checked, found, PAIRS, ["day"], ["a", "b"], 3)
    assert says in fault(checked) if says else not fault(checked)


def test_columns_keep_their_names_in_other_capitals_and_signs() -> None:
    ours = ("GROSS_IN", "Movie-Name", "cost_left", "cost_right", "other")
    found = datasets.renamed(table(*((n,) for n in ours)), ["gross(in)", "movie_name", "cost"])
    assert found.columns == ("gross(in)", "movie_name", "cost", "cost_right", "other")


AREAS = {name: [name] for name in ("Africa", "Africa/Middle East", "Middle East")}


@pytest.mark.parametrize(
    "answer",
    [
        "Africa: 48\nMiddle East: 15\nAfrica/Middle East: 1",
        "1. **Africa/Middle East** – 1 country\n2. **Africa** – 48\n3. **Middle East** – 15",
        "| Area | n |\n|--|--|\n| Africa | 48 |\n| Middle East | 15 |\n| Africa/Middle East | 1 |",
    ],
)
def test_each_label_has_its_own_figure(answer: str) -> None:
    said = labelled_values.stretches(answer, AREAS)
    checked = case(answer)
    for name, number in (("Africa", 48), ("Middle East", 15), ("Africa/Middle East", 1)):
        labelled_values.expect_label(checked, name, said[name], [(number, 0)])
    assert fault(checked) == ""


def test_a_label_without_its_figure_fails(subtests: pytest.Subtests) -> None:
    for answer, says in [
        ("", "no final answer"),
        ("Africa has many countries.", "no figure for Africa"),
        ("Africa: 15", "says 15 for Africa"),
        (" ".join(f"Africa {n}" for n in range(40, 50)), "10 different figures"),
        ("Africa 48 " + " ".join(map(str, range(3001))), "hundreds of numbers"),
    ]:
        with subtests.test(answer=answer, says=says):
            checked = case(answer)
            said = labelled_values.stretches(answer, AREAS)["Africa"]
            labelled_values.expect_label(checked, "Africa", said, [(48, 0)])
            assert says in fault(checked)


SEXES = {"male": ["male"], "female": ["female"]}


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (": male: 51 %, female: 49 %", ""),
        (": female: 49 %, male: 51 %", ""),
        (" | 49 | 51 |", "| region | female | male |\n| north | 49 | 51 |"),
    ],
)
def test_figures_go_with_their_words_or_with_the_head_of_the_table(said: str, answer: str) -> None:
    claims = labelled_values.figures_by_word(said, SEXES, answer)
    figures = {word: [found.value for found in claim.candidates] for word, claim in claims.items()}
    assert figures == {"male": [51], "female": [49]}


SIZES = ["2XL", "L", "M", "3XL"]


def test_a_name_is_settled_on_as_a_whole_word(subtests: pytest.Subtests) -> None:
    for answer, says in [
        ("XL", ""),
        ("The size is **XL** (145), then L (83) and M (79).", ""),
        ("2XL", "does not name XL"),
        ("L before XL", "names L before XL"),
        ("XL, L, M, 2XL and 3XL", "4 others"),
        ("", "no final answer"),
    ]:
        with subtests.test(answer=answer, says=says):
            checked = case(answer)
            labelled_values.expect_settled(checked, "size", ["XL"], SIZES, most_rivals=3)
            assert (says in fault(checked)) if says else not fault(checked)


@pytest.mark.parametrize(
    ("answer", "is_one"),
    [("42", True), (" ", False), (" ".join(str(n) for n in range(400)), False)],
)
def test_an_answer_is_neither_silence_nor_a_list_of_guesses(answer: str, is_one: bool) -> None:
    checked = case(answer)
    if is_one:
        labelled_values.require_answer(checked)
        assert not fault(checked)
        return
    with pytest.raises(Stop):
        labelled_values.require_answer(checked)
    assert fault(checked) == "There is no answer that could be judged."


def test_numbers_are_counted_with_their_units_and_leads() -> None:
    assert labelled_values.counted("5000 部电影，符合的 142 部。", ["部"]) == [5000, 142]
    assert labelled_values.counted("5000 部电影中，符合的一共有 142 部。", ["部"], ["一共有"]) == [
        142
    ]
    assert labelled_values.counted("There are 142 long horror films.", ["films"]) == [142]
    assert labelled_values.or_any(case("It is 7, out of 120.", "over 120 minutes"), []) == [7]


def test_own_films_state_their_input_and_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "films.csv"
    stand_ins.write_films(path, [{"year": 1981, "rating": ""}, {"movie_name": "A, B"}])
    films = source(path)
    assert films.columns == tuple(stand_ins.FILM)
    assert films.column("year") == ["1981", "2000"]
    assert films.column("rating") == ["", "6.1"]
    assert films.column("movie_name") == ["The Film", "A, B"]
    assert films.column("movie_id") == ["tt7000000", "tt7000001"]
    with pytest.raises(ValueError, match="no such column of a film: title"):
        stand_ins.write_films(path, [{"title": "A"}])
