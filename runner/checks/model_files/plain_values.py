"""Turning what a model file holds into JSON values: numbers, texts, lists, and names of types."""

from __future__ import annotations

import math
from typing import Any

from runner.checks.model_files.carried_code import Held

MOST_VALUES = 2_000_000
DEEPEST = 20


class TooLarge(ValueError):
    """More values than a check can use."""


def plain(value: Any, depth: int = 0) -> Any:
    """`value` as JSON; NaN and infinities are kept as such.

    A table is {"columns", "index", "rows"}, one column {"name", "index", "values"}; what has no
    plain form is {"type": its name}. Raises TooLarge.
    """
    if depth > DEEPEST:
        raise TooLarge("it is nested too deeply")
    if value is None or isinstance(value, bool):
        return value
    for simple in (str, int, float):
        if isinstance(value, simple):
            return simple(value)  # not one of their subclasses
    if isinstance(value, Held):
        value = vars(value)
    if isinstance(value, dict):
        count(len(value))
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        count(len(value))
        return [plain(item, depth + 1) for item in value]
    return plain_of_library(value, depth)


def count(number: float) -> None:
    if number > MOST_VALUES:
        raise TooLarge(f"it holds {number:,.0f} values")


def plain_of_library(value: Any, depth: int) -> Any:
    """numpy's, scipy's and pandas' values, recognised by the module of their type."""
    library = type(value).__module__.partition(".")[0]
    if library == "numpy":
        return plain_of_numpy(value, depth)
    if library == "scipy" and hasattr(value, "toarray"):
        count(math.prod(value.shape))
        return plain(value.toarray(), depth + 1)
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    if library == "pandas" and hasattr(value, "to_numpy"):
        return plain_of_pandas(value, depth)
    return {"type": type_name(value)}


def plain_of_numpy(value: Any, depth: int) -> Any:
    if not hasattr(value, "dtype"):
        return {"type": type_name(value)}
    if value.dtype.kind in "mM":
        return value.astype(str).tolist()
    if value.dtype.kind == "c":
        return plain([value.real.tolist(), value.imag.tolist()], depth + 1)
    count(getattr(value, "size", 1))
    return plain(value.tolist(), depth + 1)


def plain_of_pandas(value: Any, depth: int) -> Any:
    count(value.size)
    if value.ndim == 2:
        return {
            "columns": plain(list(value.columns), depth + 1),
            "index": plain(list(value.index), depth + 1),
            "rows": plain(value.astype(object).to_numpy().tolist(), depth + 1),
        }
    values = plain(value.astype(object).to_numpy().tolist(), depth + 1)
    if not hasattr(value, "index"):
        return values
    return {
        "name": plain(value.name, depth + 1),
        "index": plain(list(value.index)),
        "values": values,
    }


def described(value: Any, depth: int = 0) -> dict[str, Any]:
    """Describe `value`: its type, an estimator's parameters, the items of a container."""
    told: dict[str, Any] = {"type": type_name(value)}
    if isinstance(value, Held):
        told |= described(vars(value), depth) | {"type": told["type"]}
    elif isinstance(value, dict) and depth < 3:
        told["items"] = {str(key): described(item, depth + 1) for key, item in value.items()}
    elif isinstance(value, list | tuple) and depth < 3:
        told["items"] = [described(item, depth + 1) for item in value[:50]]
    elif hasattr(value, "get_params"):
        told["parameters"] = {key: plain(item) for key, item in value.get_params().items()}
        told["steps"] = [described(step[1], depth + 1) for step in getattr(value, "steps", [])]
        told["is_fitted"] = any(name.endswith("_") for name in vars(value))
    elif hasattr(value, "shape"):
        told["shape"] = plain(value.shape)
        told["dtype"] = str(getattr(value, "dtype", ""))
    return told


def type_name(value: Any) -> str:
    """Like "sklearn.RandomForestClassifier": the library and the class, not the module between."""
    kind = type(value)
    return f"{kind.__module__.partition('.')[0]}.{kind.__name__}"
