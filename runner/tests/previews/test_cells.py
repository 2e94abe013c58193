"""Numbers of a workbook as its formats show them."""

from __future__ import annotations

import pytest

from runner.previews.inside.workbooks import show_value

CASES: list[tuple[object, str, str]] = [
    (1234.5, "General", "1234.5"),
    (1234.5, "#,##0.00", "1,234.50"),
    (1234.5, '"$"#,##0.00', "$1,234.50"),
    (1234.5, "$#,##0", "$1,234"),
    (1234.5, "#,##0.00\\ [$€-407]", "1,234.50 €"),
    (1234.5, "[$£-809]#,##0.00", "£1,234.50"),
    (-1234.5, '"$"#,##0.00', "-$1,234.50"),
    (-1234.5, '"$"#,##0.00_);("$"#,##0.00)', "($1,234.50)"),
    (-1234.5, "#,##0;[Red]-#,##0", "-1,234"),
    (1234.5, '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', "$1,234.50"),
    (0.125, "0.0%", "12.5 %"),
    (-0.125, "0.0%", "-12.5 %"),
    (501, "00000", "00501"),
    (-7, "000", "-007"),
    (72, '0" kg"', "72 kg"),
    (72, "0.0 €", "72.0 €"),
    (1.5e-7, "0.00E+00", "1.5e-07"),
    (0.5, "# ?/?", "0.5"),
    ("text", "@", "text"),
    (True, "0", "TRUE"),
]


@pytest.mark.parametrize(("value", "shape", "shown"), CASES)
def test_a_number_is_shown_by_its_format(value: object, shape: str, shown: str) -> None:
    assert show_value(value, shape) == shown
