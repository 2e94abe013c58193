"""Gives a fork its own randomness, environment and warm state, which siblings would share.

String hashes and addresses stay equal in all forks of one zygote: a fork cannot change them.
OpenSSL's generator seeds itself at its first use, which is never in the zygote (every kernel is
process 1 of its namespace, so it would not notice a fork). Runs inside, in the zygote's children,
before anything of a task is known.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping
from typing import Any


def find_generators() -> list[Any]:
    """NumPy generators that libraries made while they were imported."""
    numpy = sys.modules["numpy"]
    kinds = (numpy.random.Generator, numpy.random.RandomState, numpy.random.BitGenerator)
    found: dict[int, Any] = {}
    for module in list(sys.modules.values()):
        for value in list(getattr(module, "__dict__", {}).values()):
            if isinstance(value, kinds):
                found[id(value)] = value
    return list(found.values())


def freshen(environment: Mapping[str, str], generators: list[Any]) -> None:
    """Own randomness for every source, and the environment as it was before the imports."""
    os.environ.clear()  # OpenCV changes LD_LIBRARY_PATH when it is imported
    os.environ.update(environment)
    time.tzset()
    random.seed()
    reseed_numpy(generators)
    tempfile._name_sequence = None  # type: ignore[attr-defined]
    tempfile.tempdir = None
    uuid._node = None  # type: ignore[attr-defined]
    uuid._last_timestamp = None  # type: ignore[attr-defined]


def reseed_numpy(generators: list[Any]) -> None:
    numpy = sys.modules["numpy"]
    numpy.random.seed()
    for generator in generators:
        if isinstance(generator, numpy.random.RandomState):
            generator.seed()
        else:
            bits = getattr(generator, "bit_generator", generator)
            bits.state = type(bits)().state
