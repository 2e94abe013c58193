"""Alignment of several attempts' steps by their contents. Pure: texts in, rows of indexes out.

Two sequences are aligned by dynamic programming over the similarity of their steps (Needleman and
Wunsch, 1970, without a price for gaps); each further one is aligned to the rows so far. Steps that
resemble nothing stand beside each other in their order between two that do.
"""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

import numpy as np
from numpy.typing import NDArray

from leaderboard.side_by_side.content import TEXT_CHARS, StepContent

Matrix = NDArray[np.float32]
Row = tuple[int | None, ...]  # per sequence the position of its step, from 0, or none

LEAST_SIMILARITY = 0.3  # of two steps that do the same
LEAST_OF_EMPTY = 0.4  # of two steps that have neither code, nor output, nor files
LEAST_OF_ANSWERS = 0.5  # of two final answers, whatever they say
WEIGHTS = {"code": 0.6, "outputs": 0.2, "files": 0.2}
WIDTH = 512  # of a text's vector
WORD = re.compile(r"\w{1,60}|[^\w\s]")


def align(sequences: Sequence[Sequence[StepContent]]) -> list[Row]:
    """Align the sequences. Each step is in one row, in its order; no row is empty.

    Costs the product of the lengths of two sequences at a time: 1,000 and 1,000 some 0.1 s.
    """
    width = len(sequences)
    vectors = [PartVectors.of(sequence) for sequence in weigh_together(sequences)]
    # The longest first: whatever two others share is more likely to have a row there.
    order = sorted(range(width), key=lambda place: -len(sequences[place]))
    rows: list[Row] = []
    for done, place in enumerate(order):
        count = len(sequences[place])
        similarity = np.zeros((len(rows), count), np.float32)
        for other in order[:done]:
            pairs = vectors[other].similarity(vectors[place])
            filled = [(n, row[other]) for n, row in enumerate(rows) if row[other] is not None]
            if filled and pairs.size:
                at, steps = np.array(filled, dtype=np.intp).T
                similarity[at] = np.maximum(similarity[at], pairs[steps])
        rows = merge(rows, count, match(similarity), place, width)
    return pair_up(rows)


def match(similarity: Matrix) -> list[tuple[int, int]]:
    """The monotone matching with the largest sum of what its pairs have above the least."""
    height, width = similarity.shape
    if not height or not width:
        return []
    gain = similarity - LEAST_SIMILARITY
    best = np.zeros((height + 1, width + 1), np.float32)
    for i in range(height):
        taken = np.maximum(best[i, 1:], best[i, :-1] + gain[i])
        best[i + 1, 1:] = np.maximum.accumulate(taken)
    matches = []
    i, j = height, width
    while i and j:
        if best[i, j] == best[i - 1, j]:
            i -= 1
        elif best[i, j] == best[i, j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            matches.append((i, j))
    return matches[::-1]


def merge(
    rows: Sequence[Row], count: int, matches: Sequence[tuple[int, int]], place: int, width: int
) -> list[Row]:
    """`rows`, of `width` columns, with `count` steps put into their column `place`."""
    empty: Row = (None,) * width
    merged: list[Row] = []
    row_at = step_at = 0
    for row_end, step_end in (*matches, (len(rows), count)):
        merged += rows[row_at:row_end]
        merged += [put(empty, place, step) for step in range(step_at, step_end)]
        if row_end < len(rows) and step_end < count:
            merged.append(put(rows[row_end], place, step_end))
        row_at, step_at = row_end + 1, step_end + 1
    return merged


def pair_up(rows: Sequence[Row]) -> list[Row]:
    """Neighbours that resemble nothing, of several sequences, beside each other in their order."""
    paired: list[Row] = []
    for is_alone, group in groupby(rows, key=lambda row: sum(at is not None for at in row) == 1):
        if not is_alone:
            paired += group
            continue
        columns = [[at for at in column if at is not None] for column in zip(*group, strict=True)]
        paired += zip_longest(*columns)
    return paired


def put(row: Row, place: int, step: int | None) -> Row:
    return (*row[:place], step, *row[place + 1 :])


@dataclass(frozen=True)
class WeighedPart:
    """Texts of one part of each step, as words with their weights."""

    words: Sequence[Counter[str]]
    weights: dict[str, float]


def weigh_together(
    sequences: Sequence[Sequence[StepContent]],
) -> list[tuple[Sequence[StepContent], dict[str, WeighedPart]]]:
    """The words of each part: rare ones, over all the sequences, tell more than common ones."""
    parts: list[dict[str, WeighedPart]] = [{} for _ in sequences]
    for part in WEIGHTS:
        words = [[count_words(getattr(step, part)) for step in steps] for steps in sequences]
        steps_with = Counter(word for steps in words for step in steps for word in step)
        total = sum(map(len, words))
        weights = {word: math.log(1 + total / n) for word, n in steps_with.items()}
        for place, counted in enumerate(words):
            parts[place][part] = WeighedPart(counted, weights)
    return list(zip(sequences, parts, strict=True))


def count_words(text: str) -> Counter[str]:
    if len(text) > TEXT_CHARS:
        text = text[: TEXT_CHARS // 2] + text[-TEXT_CHARS // 2 :]
    return Counter(WORD.findall(text))


@dataclass(frozen=True)
class PartVectors:
    """Unit vectors of a sequence's steps, by part; (steps, WIDTH) each."""

    parts: dict[str, Matrix]
    is_answer: NDArray[np.bool_]

    @classmethod
    def of(cls, weighed: tuple[Sequence[StepContent], dict[str, WeighedPart]]) -> PartVectors:
        steps, parts = weighed
        answers = np.array([step.is_answer for step in steps], dtype=np.bool_)
        return cls({name: vectors_of(part) for name, part in parts.items()}, answers)

    def similarity(self, other: PartVectors) -> Matrix:
        """From 0 to 1 for each pair of steps: (steps here, steps there).

        A part that neither step has says nothing; one that only one of them has says they differ.
        Final answers resemble each other, and never code.
        """
        shape = len(self.is_answer), len(other.is_answer)
        total: Matrix = np.zeros(shape, np.float32)
        weight: Matrix = np.zeros(shape, np.float32)
        for name, share in WEIGHTS.items():
            a, b = self.parts[name], other.parts[name]
            total += np.float32(share) * (a @ b.T)
            weight += np.float32(share) * np.logical_or.outer(a.any(axis=1), b.any(axis=1))
        np.divide(total, weight, out=total, where=weight > 0)
        total[weight == 0] = LEAST_OF_EMPTY
        answers = np.logical_and.outer(self.is_answer, other.is_answer)
        total[answers] = np.maximum(total[answers], LEAST_OF_ANSWERS)
        total[np.not_equal.outer(self.is_answer, other.is_answer)] = 0
        return total


def vectors_of(part: WeighedPart) -> Matrix:
    vectors = np.zeros((len(part.words), WIDTH), np.float32)
    slots = {word: zlib.crc32(word.encode("utf-8", "replace")) % WIDTH for word in part.weights}
    for n, words in enumerate(part.words):
        for word, count in words.items():
            vectors[n, slots[word]] += part.weights[word] * (1 + math.log(count))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths == 0, 1, lengths)
    return vectors
