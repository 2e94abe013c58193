# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Clean a table of the ozone hole: nulls, duplicates, outliers."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "5"
TITLE = "臭氧空洞数据预处理"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["5.csv"]
NOTE = "Rows with a null may be dropped or filled; a year may only be filled by the one that is missing, not by a mean or a repeated year. A filled figure must be one that can be computed: near the mean, the median or the most frequent value, or about what the nine nearest years hold. The query says to check for outliers, so they may also be kept where the answer speaks of them, and not to say that nobody looked."
NEIGHBOURS = 4  # years on either side of a filled one
SLACK = 0.25  # of a standard deviation, beyond what they hold
NEAR_BOUND = 0.25  # standard deviations from it: other rows left out give it another place
NEAR_MIDDLE = 0.4  # standard deviations around the mean and the median
UNCHECKED = (
    r"(?:没有?|未曾?|不)(?:去|有|作|做|进行)?(?:检查|检测|检验|查看|看|查|管|理会|关注|考虑)(?![到出查测验看])"
    r"|(?:\b(?:not|never|without)|n't) (?:been |yet |specifically |even )?(?:look|check|examin|inspect)"
    r"|\bskipped\b"
)

YEAR, AREA, OZONE = "Year", "Ozone Hole Area (Million Square Km)", "Minimum Ozone (Dobson Units)"


def year_gap(rows: list) -> float:
    """The one year between the first and the last that no row has."""
    years = {int(float(row[YEAR])) for row in rows if row[YEAR]}
    return float(next(y for y in range(min(years), max(years)) if y not in years))


def check(case: Case) -> None:
    from runner.checks.data import datasets, outliers
    from runner.checks.values import is_blank, number

    table = datasets.renamed(tables.without_index(tables.read(case, "5.csv")), [YEAR, AREA, OZONE])
    missing = [name for name in (YEAR, AREA, OZONE) if name not in table.columns]
    case.demand(
        "columns", not missing, f"{YEAR}, {AREA}, {OZONE}", ", ".join(table.columns), table.file
    )
    source = datasets.rows_of(
        tables.source(case.data / "ThrowbackDataThursday - 202001 - Ozone Hole.csv")
    )
    gap = year_gap(source)
    spreads = {
        name: outliers.spread_of([n for row in source if (n := number(row[name])) is not None])
        for name in (AREA, OZONE)
    }

    measured = {
        name: [
            (number(row[YEAR]) or gap, n) for row in source if (n := number(row[name])) is not None
        ]
        for name in (AREA, OZONE)
    }
    by_year = {number(row[YEAR]) or gap: row for row in source}
    found = datasets.rows_of(table)
    blanks = sum(is_blank(row[name]) for row in found for name in (YEAR, AREA, OZONE))
    case.expect("no nulls", not blanks, 0, blanks, table.file)
    years = [number(row[YEAR]) for row in found]
    strange = [year for year in years if year not in by_year]
    case.expect(
        "years",
        not strange,
        "the input's years, a missing one filled in order",
        strange[:5],
        table.file,
        f"{table.file} has the year {strange[0] if strange else None}, which the input does not have or which fills no gap.",
    )
    case.expect(
        "no duplicates",
        len(set(years)) == len(years),
        len(set(years)),
        len(years),
        table.file,
        f"{table.file} has a year more than once.",
    )

    expect_sound_rows(case, table.file, by_year, years, spreads)
    treated = expect_values(case, table.file, found, by_year, measured, spreads)
    remote = [
        year
        for year, row in by_year.items()
        if any(
            (n := number(row[name])) is not None and spreads[name].is_beyond_fence(n)
            for name in (AREA, OZONE)
        )
    ]
    spoken = speaks_of_outliers(case.answer)
    gone = treated or any(year not in years for year in remote)
    case.expect(
        "outliers checked",
        gone or spoken or not remote,
        "treated, or spoken of in the answer",
        "treated" if gone else "spoken of" if spoken else "neither",
        table.file,
        f"The outlier of {remote[0] if remote else None} is still there, and the answer does not speak of outliers.",
    )


def is_outlying(spread: object, value: float) -> bool:
    return spread.is_beyond_fence(value) or spread.is_remote(value, 2)


def expect_sound_rows(case: Case, file: str, by_year: dict, years: list, spreads: dict) -> None:
    """Every complete row without an outlier is there."""
    from runner.checks.values import is_blank, number

    lost = [
        year
        for year, row in by_year.items()
        if year not in years
        and not any(is_blank(row[name]) for name in (YEAR, AREA, OZONE))
        and not any(is_outlying(spreads[name], number(row[name])) for name in (AREA, OZONE))
    ]
    case.expect(
        "sound rows kept",
        not lost,
        "every complete row",
        f"{len(lost)} lost",
        file,
        f"{file} lacks complete rows, such as that of {lost[0] if lost else None}.",
    )


def expect_values(
    case: Case, file: str, found: list, by_year: dict, measured: dict, spreads: dict
) -> bool:
    """Values are the input's, or changed as they may be; True if an outlier was treated."""
    from runner.checks.values import number

    bad, treated = [], False
    for row in found:
        before = by_year.get(number(row[YEAR]), {})
        for name in (AREA, OZONE) if before else ():
            old, new = number(before[name]), number(row[name])
            if new is None or old == new:
                continue
            if old is None:
                good = is_computed(new, number(row[YEAR]), measured[name], spreads[name])
            else:
                spread = spreads[name]
                computed = is_computed(new, number(row[YEAR]), measured[name], spread)
                good = is_outlying(spread, old) and spread.is_pulled_in(old, new)
                good = good and (computed or is_at_bound(old, new, spread))
                good = good or is_capped(old, new, spread)
                treated = treated or (good and spreads[name].is_beyond_fence(old))
            if not good:
                bad.append(f"{name} of {row[YEAR]}: {old} became {new}")
    case.expect(
        "values",
        not bad,
        "unchanged, filled by what can be computed, or outliers pulled in",
        bad[:2],
        file,
        f"{file}: {bad[0] if bad else ''}.",
    )
    return treated


def is_computed(value: float, year: float, measured: list, spread: object) -> bool:
    """True if a filling is one that a middle of the column or the years around it would give."""
    if not spread.low <= value <= spread.high:
        return False
    reach = NEAR_MIDDLE * spread.deviation
    if min(abs(value - spread.mean), abs(value - spread.middle)) <= reach:
        return True
    values = [n for _, n in measured]
    if value in values and values.count(value) == max(map(values.count, values)):
        return True
    around = [n for at, n in measured if abs(at - year) <= NEIGHBOURS]
    slack = SLACK * spread.deviation
    return bool(around) and min(around) - slack <= value <= max(around) + slack


def is_at_bound(old: float, new: float, spread: object) -> bool:
    """True if an outlier was pulled to where a rule has a bound on its side, or not so far."""
    near = NEAR_BOUND * spread.deviation
    if old > spread.middle:
        return new >= min(high for _, high in (*spread.bounds, *spread.caps)) - near
    return new <= max(low for low, _ in (*spread.bounds, *spread.caps)) + near


def is_capped(old: float, new: float, spread: object) -> bool:
    """True if one of the outermost figures was pulled to about a percentile of a usual cap."""
    near = spread.deviation / 10
    places = [cap[old > spread.middle] for cap in spread.caps]
    nearer = abs(new - spread.middle) < abs(old - spread.middle)
    is_outer = spread.may_be_called_outlier(old) or abs(new - old) <= near
    return nearer and is_outer and any(abs(new - place) <= near for place in places)


def speaks_of_outliers(answer: str) -> bool:
    """True if a sentence of the answer speaks of outliers, and not to say that none looked."""
    import re

    said = [
        part
        for part in re.split(r"[。;；\n]|\.\s", answer.lower())
        if any(word in part for word in ("异常", "离群", "outlier", "anomal"))
    ]
    return any(not re.search(UNCHECKED, part) for part in said)


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/ThrowbackDataThursday - 202001 - Ozone Hole.csv")
print(df.describe())
print("空值:", df.isna().sum().to_dict())
print("重复:", df.duplicated().sum())
print(df[df.isna().any(axis=1)])
""",
        """
columns = ["Ozone Hole Area (Million Square Km)", "Minimum Ozone (Dobson Units)"]
clean = df.copy()
clean["Year"] = clean["Year"].interpolate().round().astype(int)
clean[columns] = clean[columns].interpolate()
for column in columns:
    q1, q3 = clean[column].quantile([0.25, 0.75])
    low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
    outside = clean[(clean[column] < low) | (clean[column] > high)]
    print(column, low, high, outside.to_dict("records"))
    clean[column] = clean[column].clip(low, high)
clean.to_csv("output/5.csv", index=False)
print(clean.isna().sum().sum(), clean.shape)
""",
    ],
    "answer": "数据共 41 行：有 6 个空值（年份 1 个，面积 3 个，最低臭氧 2 个），已用插值补全；没有重复行；1979 年的最低臭氧 225 超出 IQR 上界，已截断到上界。结果保存在 ./output/5.csv。",
}
WRONG = {
    "filled-by-the-mean": {
        "why": "fills every column by its mean, so that a row gets a year of 1998.95",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/ThrowbackDataThursday - 202001 - Ozone Hole.csv")
df = df.fillna(df.mean(numeric_only=True)).drop_duplicates()
df.to_csv("output/5.csv", index=False)
"""
        ],
        "answer": "空值已用均值填充，没有重复值和异常值，保存在 ./output/5.csv。",
    },
    "nulls-counted-only": {
        "why": "reports the nulls and saves the table as it was",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/ThrowbackDataThursday - 202001 - Ozone Hole.csv")
print(df.isna().sum(), df.duplicated().sum())
df.drop_duplicates().to_csv("output/5.csv", index=False)
"""
        ],
        "answer": "检查了空值、重复值和异常值，结果保存在 ./output/5.csv。",
    },
    "filled-with-zero": {
        "why": "puts 0 where nothing was measured",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/ThrowbackDataThursday - 202001 - Ozone Hole.csv")
df = df.dropna(subset=["Year"]).fillna(0)
df.to_csv("output/5.csv", index=False)
"""
        ],
        "answer": "空值已填充为 0，无重复值，异常值已检查，保存在 ./output/5.csv。",
    },
    "outliers-forgotten": {
        "why": "drops nulls and duplicates and never looks for outliers",
        "cells": [
            """
import pandas as pd

df = pd.read_csv("data/ThrowbackDataThursday - 202001 - Ozone Hole.csv")
df.dropna().drop_duplicates().to_csv("output/5.csv", index=False)
"""
        ],
        "answer": "数据已清洗，保存在 ./output/5.csv。",
    },
}
