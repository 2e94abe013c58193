"""Stand-ins for classes and functions that cloudpickle writes into a file: state without code.

cloudpickle keeps an agent's own class by its code. Nothing of that is built here: an object of
such a class becomes a `Held` with the attributes that it had, and every function an `Inert`.
"""

from __future__ import annotations

CLOUDPICKLE = ("cloudpickle", "cloudpickle.cloudpickle")
BUILT_IN = frozenset(["classmethod", "object", "property", "staticmethod", "super", "type"])
LIBRARIES = frozenset(  # whose names a class's code may use; none of them is looked up for it
    [
        "abc",
        "collections",
        "copy",
        "dataclasses",
        "datetime",
        "enum",
        "functools",
        "itertools",
        "joblib",
        "math",
        "numbers",
        "numpy",
        "operator",
        "pandas",
        "random",
        "scipy",
        "sklearn",
        "statistics",
        "time",
        "typing",
        "warnings",
    ]
)


class Inert:
    """Stands for an object that no prediction needs and that would run code when restored."""

    def __new__(cls, *_: object, **__: object) -> Inert:
        return object.__new__(cls)

    def __call__(self, *_: object, **__: object) -> Inert:
        """Another one, whatever it is called with."""
        return Inert()

    def __setstate__(self, state: object) -> None:
        """Its state is dropped."""


class Held:
    """An object of an agent's own class: its attributes, and none of its methods."""

    def __new__(cls, *_: object, **__: object) -> Held:
        return object.__new__(cls)

    def __setstate__(self, state: object) -> None:
        for part in state if isinstance(state, tuple) else (state,):
            if isinstance(part, dict):
                vars(self).update({str(name): value for name, value in part.items()})


def held_class(_: object, name: object, *__: object) -> type[Held]:
    """The class `name` of an agent, without its code."""
    return type(str(name)[:60], (Held,), {"__module__": "__main__"})


def stand_in(name: str) -> object:
    """The stand-in for one of cloudpickle's own functions."""
    return held_class if name == "_make_skeleton_class" else Inert


def may_be_named(module: str, name: str) -> bool:
    """True for what the code of a class may name beside it, such as `property` or `math.exp`."""
    if module == "builtins":
        return name in BUILT_IN
    return module.partition(".")[0] in LIBRARIES
