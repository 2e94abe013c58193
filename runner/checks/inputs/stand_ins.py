"""Tables of our own making, in the columns of published ones that a checkout may lack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from runner.checks.inputs import build

FILM: Mapping[str, object] = {  # column: what a film has there when nothing else is said
    "movie_id": "",  # counted, when left out
    "movie_name": "The Film",
    "year": 2000,
    "certificate": "",
    "runtime": "95 min",
    "genre": "Drama",
    "rating": 6.1,
    "description": "A made-up plot.",
    "director": "A Director",
    "director_id": "/name/nm0000001/",
    "star": "Star One, \nStar Two",
    "star_id": "/name/nm0000002/,/name/nm0000003/",
    "votes": 100,
    "gross(in $)": "",
}


def write_films(path: Path, films: Sequence[Mapping[str, object]]) -> None:
    """Write a csv of films by genre; each gives the columns in which it differs from FILM.

    ValueError when one has a column that the table has not.
    """
    rows = []
    for number, film in enumerate(films):
        strange = set(film) - set(FILM)
        if strange:
            raise ValueError(f"no such column of a film: {', '.join(sorted(strange))}")
        row = {**FILM, "movie_id": f"tt{7_000_000 + number}", **film}
        rows.append(list(row.values()))
    build.write_csv(path, [list(FILM), *rows])
