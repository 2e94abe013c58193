"""Files that somebody brought in, taken as an attempt's own are: bounded, and no links."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from runner.contract import Harvest, RecordedPlay
from runner.sandbox.files.harvest import harvest


def take_brought(recording: RecordedPlay, outputs: Path, wanted: Collection[str]) -> Harvest:
    """Copy the recording's files below `outputs`, the `wanted` ones first. Blocks.

    Raises ProblemError when none of them can be had, and OSError when the disk is full.
    """
    assert recording.bring_files is not None
    with tempfile.TemporaryDirectory(dir=outputs.parent, prefix="brought-") as folder:
        refused = recording.bring_files(Path(folder))
        work = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            taken = harvest(work, ".", outputs, wanted)
        finally:
            os.close(work)
    return replace(taken, refused=(*taken.refused, *refused))
