"""Plays the scripted attempts of the tags' trial.

`python -m bench.tag_trial FACTS TEXTS [KEY …]`: their facts go into the file FACTS, one line of
JSON an attempt in gzip; into the folder TEXTS goes what a reader reads who is to label them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pybench_site.settings")
    os.environ.setdefault("PYBENCH_DEBUG", "1")  # else nothing is played without a sandbox
    django.setup()
    from bench.tag_trial.playing import play_and_note

    play_and_note(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])


if __name__ == "__main__":
    main()
