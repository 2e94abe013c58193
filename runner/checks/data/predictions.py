"""Judging trained models by what they predict, whatever form their rows were brought into.

An agent encodes words and scales numbers as it likes and often saves the model alone. So a model
is asked about the same rows in several designs, and counts by the best of its replies: one that
fits no design has learnt nothing that anybody could use.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runner.checks.case import Case
from runner.checks.data.ranks import rank_correlation
from runner.checks.model_files import models
from runner.checks.values import number, plain

LEAST_KNOWN = 0.6  # of a model's columns; the others are made 0
MOST_SUBSETS = 300  # choices of columns that a model may have been fitted to
COLUMN_NAMES = r"^$|feat|col|name|input|predictor|variable|^x|特征|列|变量"  # keys in a dict
OTHER_NAMES = r"target|class|label|output|species|^y|目标|类别|标签"
MOST_PERMUTED = 4  # classes whose numbers may stand in any order

Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Model:
    """Description of a model as read from a file; absent facts are empty."""

    types: tuple[str, ...] = ()
    classes: tuple[Any, ...] = ()
    names: tuple[str, ...] = ()  # of its columns, when it was fitted to a table
    width: int = 0


@dataclass(frozen=True)
class Design:
    """Rows as a model may want them; `columns` when they are a table."""

    rows: Sequence[Sequence[Any]]
    columns: tuple[str, ...] | None = None


def tried(case: Case, name: str, asks: Sequence[models.Ask]) -> list[Any]:
    """The answers of the output file `name`; None where it could not answer."""
    with case.reading(name, "a model") as path:
        try:
            replies = models.question(path, "pickle", asks, 60.0)
        except models.ModelTampered as error:
            case.fail("tampered", models.tampering(name, str(error)), name, str(error))
        return [reply.get("value") for reply in replies]


def examine(case: Case, name: str) -> Model:
    """Read the file's predictive contents; a file without anything that predicts ends the check."""
    facts, classes, names, width, scaled_names, beside = tried(
        case,
        name,
        [
            models.describe(),
            models.read("classes_", beside="predict"),
            models.read("feature_names_in_", beside="predict"),
            models.read("n_features_in_", beside="predict"),
            models.read("feature_names_in_", beside="transform"),
            models.texts(),
        ],
    )
    wide = int(width) if isinstance(width, int | float) and math.isfinite(width) else 0
    if not isinstance(names, list) and isinstance(scaled_names, list) and len(scaled_names) == wide:
        names = scaled_names  # a scaler beside it that was fitted to as many columns
    if not isinstance(names, list):
        names = names_beside(beside, wide, classes)
    found = Model(
        tuple(types_in(facts)),
        tuple(classes) if isinstance(classes, list) else (),
        tuple(str(n) for n in names) if isinstance(names, list) else (),
        wide,
    )
    fitted = bool(found.width or found.names or found.classes)
    case.demand(
        "a trained model",
        fitted,
        "a model that was fitted",
        ", ".join(found.types[:4]) or "nothing",
        name,
        f"{name} holds no trained model ({', '.join(found.types[:4]) or 'nothing'}).",
    )
    return found


def names_beside(texts: Any, width: int, classes: Any) -> list[str] | None:
    """The list of `width` names of columns that was saved with a model, None without one."""
    for pair in texts if isinstance(texts, list) else ():
        if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], list):
            key, found = str(pair[0]).lower(), pair[1]
            is_other = re.search(OTHER_NAMES, key) or found == classes
            if len(found) == width > 1 and re.search(COLUMN_NAMES, key) and not is_other:
                return found
    return None


def types_in(facts: Any, depth: int = 0) -> Iterator[str]:
    """Every "type" in a description, outermost first."""
    if depth > 6:
        return
    if isinstance(facts, dict):
        if isinstance(facts.get("type"), str):
            yield facts["type"]
        for value in facts.values():
            yield from types_in(value, depth + 1)
    elif isinstance(facts, list):
        for value in facts:
            yield from types_in(value, depth + 1)


def predictions(
    case: Case, name: str, designs: Sequence[Design], several: bool = False
) -> list[list[Any]]:
    """Predictions of the model for each design that it takes, one value a row.

    A model that predicts `several` values a row gives as many lists for a design.
    """
    return [values for _, values in predictions_of(case, name, designs, several)]


def predictions_of(
    case: Case, name: str, designs: Sequence[Design], several: bool = False
) -> list[tuple[Design, list[Any]]]:
    """As `predictions`, each beside its design."""
    asks = [models.predict(d.rows, list(d.columns) if d.columns else None) for d in designs]
    found: list[tuple[Design, list[Any]]] = []
    for design, reply in zip(designs, tried(case, name, asks), strict=True):
        if isinstance(reply, dict):
            reply = reply.get("values") or reply.get("rows")
        if not isinstance(reply, list) or len(reply) != len(design.rows):
            continue
        if several and all(isinstance(v, list) and len(v) == len(reply[0]) for v in reply):
            found += [(design, column) for column in transposed(reply)]
        else:
            found.append((design, [single(value) for value in reply]))
    return found


def single(value: Any) -> Any:
    """A value out of a row of one, or the place of the largest of several."""
    if isinstance(value, list) and len(value) == 1:
        return value[0]
    if isinstance(value, list) and value and all(isinstance(v, int | float) for v in value):
        return max(range(len(value)), key=lambda place: value[place])
    return value


# ---------------------------------------------------------------- designs


def designs_for(model: Model, table: Columns, features: Sequence[str]) -> list[Design]:
    """The columns `features` of `table` as this model may want them.

    By its own column names where it has some, else by their number: words counted in the order of
    the alphabet, as columns of 0 and 1, or left out; numbers as they are or scaled.
    """
    texts = [name for name in features if any(number(v) is None for v in table[name])]
    found = [Design(transposed([table[name] for name in features]), tuple(features))]
    named = named_columns(table, model.names)
    if named and sum(column is not None for column in named) >= LEAST_KNOWN * len(named):
        blank = [0.0] * len(table[features[0]])
        filled = [blank if column is None else column for column in named]
        found += [*scaled(filled, model.names), *scaled(filled, None)]
    for columns in plain_designs(table, features, texts):
        if not model.width or len(columns) == model.width:
            found += scaled(columns, None)
    return found


def subset_designs(model: Model, table: Columns, features: Sequence[str]) -> list[Design]:
    """Every choice of as many of `features`, in their order, as a nameless model has columns.

    The nearest to all of them first; words are counted. None for a model that names its own.
    """
    if model.names or not 0 < model.width <= len(features):
        return []
    chosen = itertools.islice(itertools.combinations(features, model.width), MOST_SUBSETS)
    columns = {
        name: ordinals(table[name])
        if any(number(v) is None for v in table[name])
        else numbers(table[name])
        for name in features
    }
    return [design for names in chosen for design in scaled([columns[n] for n in names], None)]


def plain_designs(
    table: Columns, features: Sequence[str], texts: Sequence[str]
) -> list[list[Sequence[float]]]:
    """Numbers with words counted, numbers alone, numbers and columns of 0 and 1."""
    counted: list[Sequence[float]] = [
        ordinals(table[n]) if n in texts else numbers(table[n]) for n in features
    ]
    alone: list[Sequence[float]] = [numbers(table[n]) for n in features if n not in texts]
    if not texts:
        return [list(counted)]
    wide, narrow = list(alone), list(alone)
    for name in texts:
        flags = [flag(table[name], word) for word in words_of(table[name])]
        wide, narrow = [*wide, *flags], [*narrow, *flags[1:]]
    return [counted, alone, wide, narrow]


def named_columns(table: Columns, names: Sequence[str]) -> list[Sequence[float] | None]:
    """The columns that a model calls `names`; "colour_red" is 1 where colour is red."""
    by_bare = {bare(known): known for known in table}
    return [encoded(table, by_bare, name) for name in names]


def encoded(table: Columns, by_bare: Mapping[str, str], name: str) -> Sequence[float] | None:
    key = by_bare.get(bare(name))
    if key is not None:
        values = table[key]
        return ordinals(values) if any(number(v) is None for v in values) else numbers(values)
    for key in sorted(table, key=len, reverse=True):
        if name.startswith(f"{key}_"):
            return flag(table[key], name[len(key) + 1 :])
    return None


def sampled(table: Columns, step: int) -> dict[str, list[Any]]:
    """Every `step`-th row of `table`."""
    return {name: list(values[::step]) for name, values in table.items()}


def bare(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


def numbers(values: Sequence[Any]) -> list[float]:
    return [found if (found := number(v)) is not None else 0.0 for v in values]


def words_of(values: Sequence[Any]) -> list[str]:
    return sorted({plain(v) for v in values})


def ordinals(values: Sequence[Any]) -> list[float]:
    order = {word: float(place) for place, word in enumerate(words_of(values))}
    return [order[plain(v)] for v in values]


def flag(values: Sequence[Any], word: str) -> list[float]:
    return [1.0 if plain(v) == plain(word) else 0.0 for v in values]


def transposed(columns: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(row) for row in zip(*columns, strict=True)]


def scaled(columns: Sequence[Sequence[float]], names: Sequence[str] | None) -> list[Design]:
    """As they are, with mean 0 and deviation 1, and from 0 to 1."""
    ways = ([list(c) for c in columns], [standard(c) for c in columns], [unit(c) for c in columns])
    return [Design(transposed(way), tuple(names) if names else None) for way in ways]


def standard(values: Sequence[float]) -> list[float]:
    found = np.asarray(values, float)
    return list((found - found.mean()) / (found.std() or 1.0))


def unit(values: Sequence[float]) -> list[float]:
    found = np.asarray(values, float)
    return list((found - found.min()) / (np.ptp(found) or 1.0))


# ---------------------------------------------------------------- scores


def explained(predicted: Sequence[Any], truth: Sequence[float]) -> float:
    """The share of the truth's variance that the predictions explain (R²), at best scale known.

    The truth may have been brought to mean 0 and deviation 1, or to 0 … 1, before a model was
    fitted to it; 0 is what the mean alone reaches.
    """
    values = [number(value) for value in predicted]
    if any(v is None or not math.isfinite(v) for v in values) or len(values) != len(truth):
        return -math.inf
    known = np.asarray(truth, float)
    begin = known[: max(2, int(0.8 * len(known)))]  # what is usually kept for the fit
    scales = (
        known,
        np.asarray(standard(truth)),
        np.asarray(unit(truth)),
        (known - begin.mean()) / (begin.std() or 1.0),
        (known - begin.min()) / (np.ptp(begin) or 1.0),
    )
    found = np.asarray(values, float)
    return max(
        1 - float(((found - one) ** 2).sum()) / (float(((one - one.mean()) ** 2).sum()) or 1.0)
        for one in scales
    )


def share_right(predicted: Sequence[Any], labels: Sequence[str]) -> float:
    """Number of predictions that are right, classes being named or numbered in any consistent
    way."""
    found = [cell(value) for value in predicted]
    names = sorted(set(labels))
    if set(found) & set(names):
        return share_equal(found, labels)
    kinds = sorted(set(found), key=lambda text: (number(text) is None, number(text) or 0, text))
    orders: list[Sequence[str]] = [names]
    if len(names) <= MOST_PERMUTED:
        orders = [list(order) for order in itertools.permutations(names)]
    best = 0.0
    for order in orders:
        for offset in (0, 1):
            meant = {cell(place + offset): name for place, name in enumerate(order)}
            if all(kind in meant for kind in kinds):
                best = max(best, share_equal([meant[kind] for kind in found], labels))
    return best


def cell(value: Any) -> str:
    """A class as text; 1.0 and 1 and True are the same."""
    if isinstance(value, bool):
        return str(int(value))
    found = number(value)
    return f"{found:.10g}" if found is not None else plain(value)


def share_equal(found: Sequence[str], labels: Sequence[str]) -> float:
    pairs = zip(found, labels, strict=True)
    return sum(one == plain(other) for one, other in pairs) / len(labels)


def rank_agreement(predicted: Sequence[Any], truth: Sequence[float]) -> float:
    """Spearman's rank correlation; 0 when a value is no number or nothing varies."""
    values = [number(value) for value in predicted]
    if any(v is None or not math.isfinite(v) for v in values):
        return 0.0
    return rank_correlation([v for v in values if v is not None], truth)
