"""Checks free disk space before an attempt is claimed."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

MB = 1_000_000


@dataclass
class DiskRoom:
    """Folders whose disks must have so many bytes free before an attempt is claimed."""

    folders: Sequence[Path]
    least_bytes: int
    was_short: bool = False

    def is_enough(self) -> bool:
        """Said in the log when it changes; a folder that is missing is somebody else's trouble."""
        short = self.shortage()
        if short and not self.was_short:
            log.error("%s", short)
        elif self.was_short and not short:
            log.warning("there is room on the disks again: attempts go on")
        self.was_short = bool(short)
        return not short

    def shortage(self) -> str:
        """The first disk that is too full, in a sentence; "" when there is room."""
        for folder in self.folders:
            free_bytes = free_of(folder)
            if free_bytes is not None and free_bytes < self.least_bytes:
                return (
                    f"The disk under {folder} has {free_bytes // MB} MB free. New attempts wait "
                    f"until {self.least_bytes // MB} MB are free (PYBENCH_LEAST_FREE_MB)."
                )
        return ""


def free_of(folder: Path) -> int | None:
    """Bytes that we may still write there; None when the folder cannot be looked at."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None
