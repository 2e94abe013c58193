"""Parts of a word that lead SQLite's index of trigrams to few texts.

FTS5 finds a phrase by walking through the texts of all its trigrams, and *name* is in every text:
what holds `name_4000` is found through `_4000`, in a fiftieth of the time. A sample of the newest
texts says which trigrams are common. PostgreSQL begins with the rare ones by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db import connection

from leaderboard.models import AttemptText

SAMPLE = 256  # texts, the newest
SAMPLE_CHARS = 2_000  # of each
COMMON_SHARE = 0.25  # of them that have a trigram: it narrows nothing
FEW = 1  # of them that may hold all parts: others would be read in vain
TRIGRAM = 3

Parts = Mapping[str, Sequence[str]]  # by word; a word that is not there leads by itself


def find_parts(words: Iterable[str]) -> Parts:
    """The parts of those words that are better led to by parts. One query, or none."""
    long = [word for word in words if len(word) > TRIGRAM and has_plain_capitals(word)]
    if not long or connection.vendor != "sqlite":
        return {}
    sample = read_sample()
    found = {word: choose_parts(word, sample) for word in long}
    return {word: parts for word, parts in found.items() if parts}


def has_plain_capitals(word: str) -> bool:
    return all(letter.isascii() or letter.upper() == letter.lower() for letter in word)


def read_sample() -> list[str]:
    """Texts in small letters, of whatever run: they are only counted."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT SUBSTR(body, 1, %s) FROM {AttemptText._meta.db_table} "
            "ORDER BY id DESC LIMIT %s",
            [SAMPLE_CHARS, SAMPLE],
        )
        return [body.lower() for (body,) in cursor.fetchall()]


def choose_parts(word: str, sample: Sequence[str]) -> list[str]:
    """The word without its common trigrams; nothing where none is common, or all are, or where
    the rest is not rare."""
    plain = word.lower()
    starts = range(len(word) - TRIGRAM + 1)
    is_rare = [
        count(sample, [plain[n : n + TRIGRAM]]) <= COMMON_SHARE * len(sample) for n in starts
    ]
    parts, begin = [], None
    for n, rare in enumerate([*is_rare, False]):
        if rare and begin is None:
            begin = n
        elif not rare and begin is not None:
            parts.append(word[begin : n + TRIGRAM - 1])
            begin = None
    is_shorter = parts and parts != [word]
    return parts if is_shorter and count(sample, [part.lower() for part in parts]) <= FEW else []


def count(sample: Sequence[str], pieces: Sequence[str]) -> int:
    """Count the texts that have each of the pieces."""
    return sum(all(piece in body for piece in pieces) for body in sample)
