"""A card with three lines."""

from pathlib import Path

from runner.checks import Case

TITLE = "A card of an order"
CATEGORY = "other"
QUERY = (
    "./data/order.json is an order. Write ./output/card.txt with four lines: “Customer: …” "
    "(the name as it stands), “Total: …” (in euros, like 99.50, no unit), “Weight: …” "
    "(kilograms, one decimal, no unit) and “Status: …” (paid or open)."
)
INPUTS = ["order.json"]
OUTPUTS = ["card.txt"]
LINES = {"Customer": "Anna Berg", "Total": "1250.50", "Weight": "3.2", "Status": "paid"}


def make_inputs(seed: int, data: Path) -> dict[str, object]:
    (data / "order.json").write_text(
        '{"id": 7, "customer": {"name": "Anna Berg", "city": "Graz"}, "status": "paid",\n'
        ' "items": [{"sku": "A1", "qty": 5, "price": 200.1, "kg": 0.5},\n'
        '           {"sku": "B2", "qty": 1, "price": 250.0, "kg": 0.7}]}\n'
    )
    return {}


def check(case: Case) -> None:
    name = "card.txt"
    text = case.require_file(name).read_text("utf-8", "replace")
    found = {
        key.strip(): value.strip()
        for key, _, value in (line.partition(":") for line in text.splitlines())
    }
    for key, wanted in LINES.items():
        if case.expect(
            f"line “{key}”", key in found, "there", "missing" if key not in found else "there", name
        ):
            case.equal(key.lower(), found[key], wanted, name)


REFERENCE = {"cells": ["1"], "answer": "Done."}
WRONG = {
    "a": {"why": "a", "cells": ["1"], "answer": "1"},
    "b": {"why": "b", "cells": ["1"], "answer": "1"},
}
