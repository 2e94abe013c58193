# ruff: noqa: E501
"""The forms in which answers give a value or a name: each row as it is right, and as it is not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from runner.checks import Case
from runner.checks.text import answers, conclusions, formulas, labelled_values, reading
from runner.tests.support.worst_texts import MOST_GROWTH, Reader, growth, repeated


def case_of(answer: str, query: str = "") -> Case:
    return Case(Path("/nowhere"), Path("/nowhere"), answer, query)


@dataclass(frozen=True)
class Form:
    """One way to write that the mean is 12.35 and the variance 4.5; and another that is wrong."""

    name: str
    right: str
    wrong: str


FORMS = [
    Form("plain", "Average: 12.35\nVariance: 4.50", "Average: 4.50\nVariance: 12.35"),
    Form("bullets", "- **Average**: 12.35\n- **Variance**: 4.5", "- Average: 12.35\n- Variance: 4.6"),
    Form("sentence", "The average is 12.35, the variance 4.5.", "The average 4.5, the variance 12.35"),
    Form("rows named", "The average and variance of 65 rows: average 12.35, variance 4.5", "average 65"),
    Form("dict", "{'average': 12.35, 'variance': 4.5}", "{'average': 12.35, 'variance': 2.12}"),
    Form("json", '{"average": 12.35, "variance": 4.5}', '{"average": 4.5, "variance": 12.35}'),
    Form("full width", "平均值：１２.３５，方差：４.５", "平均值：１２.３６，方差：４.５"),
    Form(
        "table",
        "| | value |\n|---|---|\n| Average | 12.35 |\n| Variance | 4.5 |",
        "| | value |\n|---|---|\n| Average | 4.5 |\n| Variance | 12.35 |",
    ),
    Form(
        "table on its side",
        "| Average | Variance |\n|---|---|\n| 12.35 | 4.5 |",
        "| Variance | Average |\n|---|---|\n| 12.35 | 4.5 |",
    ),
    Form(
        "printed table",
        "           average  variance\ndistance     12.35      4.50",
        "           average  variance\ndistance      4.50     12.35",
    ),
    Form("LaTeX", r"Average \(= 12.35\), variance \(\approx 4.5\)", r"Average \(4.5\), variance \(12.35\)"),
    Form("boxed", r"Average: $\boxed{12.35}$, variance: $\boxed{4.5}$", r"Average $\boxed{12}$, variance 4.5"),
    Form("chain", "Average = 802.75/65 = 12.35\nVariance = 4.5", "Average = 12.35 = 13.1\nVariance = 4.5"),
    Form("longer", "Average = 12.34998 ≈ 12.35, variance 4.5", "Average = 12.35 ≈ 12.9, variance 4.5"),
    Form("other figures", "Average: 12.35, standard deviation: 2.12, variance: 4.5", "Average: 12.35, variance: 2.12"),
    Form("said twice", "Average: 12.35, variance: 4.5. Average: 12.35", "Average: 12.35, variance: 4.5. Average: 7"),
    Form("or", "Average: 12.35; variance: 4.5", "Average: 12.35 or 13; variance: 4.5"),
    Form("list", "Average: 12.35; variance: 4.5", "Average: 11, 12.35, 13; variance: 4.5"),
    Form("range", "Average: 12.35; variance: 4.5", "Average: 12.35 - 13; variance: 4.5"),
    Form("arrow", "Average: 12.349 → 12.35; variance: 4.5", "Average: 12.35 → 13; variance: 4.5"),
    Form("between", "Average: 12.35; variance: 4.5", "Average between 12.35 and 13; variance: 4.5"),
    Form("rounded", "Average 12.349, rounded 12.35; variance 4.5", "Average 12.361, rounded 12.36; variance 4.5"),
    Form("slash", "Average: 12.35; variance: 4.5", "Average: 12.35 / 13; variance: 4.5"),
]  # fmt: skip
BARS = "```\nAnna | ████ 9.1\nBob | ███ 8.2\nCleo | ██ 7.3\n```"


def test_lines_of_bars_are_no_table_with_a_head() -> None:
    case = case_of(BARS)
    for name, value in (("Anna", 9.1), ("Bob", 8.2), ("Cleo", 7.3)):
        said = labelled_values.claims(BARS, {n: [n] for n in ("Anna", "Bob", "Cleo")})[name]
        assert labelled_values.expect_claims(case, name, said, [(value, 0.01)])


def test_corner_of_a_table_may_be_a_year() -> None:
    table = (
        "| 1841 | births | deaths |\n|---|---|---|\n| clinic 1 | 30 | 2 |\n| clinic 2 | 24 | 8 |"
    )
    assert reading.tables_told(table).splitlines() == [
        "clinic 1 births: 30; deaths: 2",
        "clinic 2 births: 24; deaths: 8",
    ]
    assert reading.tables_told("1 | one\n2 | two") == "1 | one\n2 | two"


@pytest.mark.parametrize(
    "text", [": 163人(50.15%)", ": 163 名, 占比 50.15%", ": 163 policyholders (50.15%)"]
)
def test_share_behind_a_count_is_another_form_of_it(text: str) -> None:
    claim = reading.claimed(text)
    assert claim
    assert [form.value for form in claim.forms] == [163, 50.15]


WORDS = {"average": ["average", "平均值"], "variance": ["variance", "方差"]}


def gives_both(answer: str) -> bool:
    case = case_of(answer)
    said = labelled_values.claims(answer, WORDS, labelled_values.STATISTICS)
    good = [
        labelled_values.expect_claims(case, word, said[word], [(value, 0.0051)])
        for word, value in (("average", 12.35), ("variance", 4.5))
    ]
    return all(good)


def test_forms_of_labelled_figures(subtests: pytest.Subtests) -> None:
    for form in FORMS:
        with subtests.test(form=form):
            assert gives_both(form.right)
            assert not gives_both(form.wrong)


VALUES = [
    ("Fifty-two.", [52.0]),
    ("1{,}234.5", [1234.5]),
    ("1\u202f234\u202f567", [1234567.0]),
    ("50, 51, 52 or 54", [50.0, 51.0, 52.0, 54.0]),
    (r"\int_1^2 = 4 - \frac{3}{2} = 2.5", [2.5]),
    (r"M = \frac{49}{6} \approx 8.17\,\mathrm{kg}", [8.17]),
    ("8.1667≈8.17kg", [8.17]),
    ("5/2，即 2.5", [2.5]),
    ("2½", [2.5]),
    (r"\frac52 = 2.5", [2.5]),
    ("8920.44 ÷ 16598 = 0.5374 → 0.54", [0.54]),
    ("5.4×10⁵", [540000.0]),
    ("1.2万亿", [1.2e12]),
    ("838_866_283 (mod 10^9+7)", [838866283.0]),
    ("none", []),
    ("第 3 页", []),
]


def test_value_of_a_text(subtests: pytest.Subtests) -> None:
    for text, values in VALUES:
        with subtests.test(text=text, values=values):
            assert [found.value for found in reading.claim(reading.folded(text))] == values


def test_units_stand_by_their_numbers() -> None:
    found = reading.numbers_in(reading.folded("0.54 billion, 8.17g, 1.2万, 3%"))
    assert [(f.value, f.unit) for f in found] == [
        (0.54, "billion"),
        (8.17, "g"),
        (12000.0, "万"),
        (3.0, "%"),
    ]


NAMES = [
    ("The size is 'XL'.", True),
    ("尺码是 “XL”（145 次）", True),
    ("{'size': 'XL'}", True),
    ("**XL**", True),
    ("It's XL, followed by L and M.", True),
    ("XL: 145, L: 120, M: 80", True),
    ("It is not L, but XL.", True),
    ("L", False),
    ("XL or L", False),
    ("XL, L, M, S", False),
    ("XL L M S", False),
    ("XL/L", False),
    ("XL，或者 L", False),
    ("It is not XL but L.", False),
    ("XL (145 or 146 times)", False),
    (" ".join(["size", "colour", "number", "XL"] * 15), False),
    ("", False),
]


def test_name_that_an_answer_settles_on(subtests: pytest.Subtests) -> None:
    for answer, holds in NAMES:
        with subtests.test(answer=answer, holds=holds):
            case = case_of(answer)
            assert labelled_values.expect_settled(case, "size", ["XL"], ["L", "M"]) is holds


BESIDE = [
    ("5,478 births and 323 deaths", True),
    ("births: 5478; deaths: 323", True),
    ("There were 5478 births, of whom 323 ended in deaths: births 5478, deaths 323", True),
    ("323 births and 5,478 deaths", False),
    ("births: 323; deaths: 5478", False),
]


def test_number_before_or_after_its_label(subtests: pytest.Subtests) -> None:
    for answer, holds in BESIDE:
        with subtests.test(answer=answer, holds=holds):
            found = labelled_values.beside(answer, {"births": ["births"], "deaths": ["deaths"]})
            told = {label: {v for one in many for v in one.values} for label, many in found.items()}
            assert (told == {"births": {5478.0}, "deaths": {323.0}}) is holds


FORMULAS = [
    ("二阶导为 2/(x+1)^3", True),
    (r"$y'' = \frac{2}{(x+1)^3}$", True),
    ("y′′ = ２/(x+1)³", True),
    ("y' = 2 - 1/(x+1)^2, y'' = 2/(x+1)^3", True),
    ("y'' = 2/(x+1)^2 or 2/(x+1)^3", False),
    ("y'' = 1/(x+1)^3, y'' = 2/(x+1)^3", False),
    ("y'' = -2/(x+1)^3", False),
]


def test_one_formula(subtests: pytest.Subtests) -> None:
    for answer, holds in FORMULAS:
        with subtests.test(answer=answer, holds=holds):
            words = ["二阶", "y''"]
            assert formulas.given(case_of(answer), words, lambda x: 2 / (x + 1) ** 3) is holds


LABELS = {"one": ["a"], "other": ["b"]}
READERS = [
    Reader(
        "claims",
        lambda text: labelled_values.claims(text, LABELS),
        50_000,
        {
            "numbers": repeated("1 ", "a "),
            "sums": repeated("1+", "a "),
            "blanks": repeated(" ", "a 1", "2"),
            "rules": repeated("--", "a\n", "."),
            "bars": repeated("|", "a\n"),
            "rows": repeated("|1|2|\n", "|a|b|\n"),
        },
    ),
    Reader(
        "numbers beside labels",
        lambda text: labelled_values.beside(text, LABELS),
        50_000,
        {"pairs": repeated("1 a 2 b "), "one label": repeated("1 ", "a ", " b")},
    ),
    Reader(
        "one name",
        lambda text: labelled_values.expect_settled(case_of(text), "size", ["a"], ["b"]),
        50_000,
        {"words": repeated("or ", "a ", " b"), "braces": repeated("\\text{", "a ")},
    ),
]


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        pytest.param(reader, text, id=f"{reader.name}-{text}")
        for reader in READERS
        for text in reader.texts
    ],
)
def test_worst_answers_take_time_in_proportion(reader: Reader, text: str) -> None:
    assert growth(reader, reader.texts[text]) <= MOST_GROWTH


STANDS = [  # answers that say of the data what others say of themselves
    "12 incorrect rows were dropped; the mean is 5.",
    "The mean is 5. This is not a guarantee of future growth.",
    "There is no correlation: the mean of both is 5.",
    "错误数据已删除，均值为 5。",
    "以上数据均已检查，没有错误。均值 5",
    "以上结果不包含错误的行。均值 5",
    "The mean is not 4 but 5.",
    "A naive mean gives 4; that is wrong because of repeated rows. Correction: the mean is 5.",
    "Rows where the value is wrong were removed. The mean is 5.",
    "None of the columns has missing values; the mean is 5.",
    "The above is wrong. The correct mean is 5.",
    "均值不是 4，而是 5。",
]


def test_answer_that_speaks_of_what_is_wrong_elsewhere(subtests: pytest.Subtests) -> None:
    for answer in STANDS:
        with subtests.test(answer=answer):
            words = {"mean": ["mean", "均值"]}
            case = case_of(answer)
            said = labelled_values.claims(answer, words)["mean"]
            assert answers.number_near(case, words["mean"], 5, 0)
            assert labelled_values.expect_claims(
                case, "mean", said or labelled_values.or_claimed(case), [(5, 0)]
            )


CONCLUSIONS = Reader(
    "conclusions",
    conclusions.concluded,
    100_000,
    {
        "so": repeated(", so "),
        "answers": repeated("the final answer is"),
        "spaces": repeated(" ", "so", "x"),
    },
)


@pytest.mark.parametrize("text", CONCLUSIONS.texts)
def test_worst_conclusions_take_time_in_proportion(text: str) -> None:
    assert growth(CONCLUSIONS, CONCLUSIONS.texts[text]) <= MOST_GROWTH
