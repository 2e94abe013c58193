"""Playing an agent's pygame program without a screen, on a clock of our own.

    idle = games.play(case, "140/snake.py", keys=[])
    steered = games.play(case, "140/snake.py", keys=[(20, "DOWN"), (40, "LEFT")])

The program runs as a child process in the check's sandbox. Its frames are counted where it shows
them; keys arrive at given frames; waiting takes no time; random numbers begin at one seed. So the
same keys give the same pictures on any machine. What the child reports is only compared.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.checks import foreign_values
from runner.checks.case import Case

TIMEOUT_S = 25.0
MOST_BYTES = 8 << 20
STILL = 24  # frames alike at the end: nothing goes on
JUMP = 1.8  # times what a step changes of the picture: the game begins anew
OPENING = 12  # frames of the beginning, in which a title may go
LEAST_BACK = 10  # frames after which a picture that comes again is one of going round

DRIVER = r"""
import json, os, random, runpy, sys, time, zlib
os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)
path, plan, most = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
import numpy
import pygame
random.seed(7)
areas, seen = [], {"pixels": None}
clock = {"now": 0.0}
frames = []

class Enough(BaseException):
    pass

def wait(ms=0, *_):
    clock["now"] += float(ms)
    return int(ms)

class Clock:
    def tick(self, framerate=0):
        ms = 1000.0 / framerate if framerate else 16.0
        clock["now"] += ms
        return int(round(ms))
    tick_busy_loop = tick
    def get_fps(self): return 60.0
    def get_time(self): return 16
    def get_rawtime(self): return 1

pygame.time.Clock = Clock
pygame.time.wait = pygame.time.delay = wait
pygame.time.get_ticks = lambda: int(clock["now"])
time.sleep = lambda s: wait(1000 * s)
time.time = lambda: 1716000000.0 + clock["now"] / 1000
time.monotonic = time.perf_counter = lambda: clock["now"] / 1000
held = {}

def shown(*_):
    clock["now"] += 1
    surface = pygame.display.get_surface()
    if surface is not None:
        small = pygame.transform.scale(surface, (64, 64))
        raw = pygame.image.tobytes(small, "RGB")
        frames.append(f"{zlib.crc32(pygame.image.tobytes(surface, 'RGB')):08x}")
        pixels = pygame.surfarray.array2d(surface)[::2, ::2]
        before = seen["pixels"]
        is_same_size = before is not None and before.shape == pixels.shape
        areas.append(int((pixels != before).sum()) if is_same_size else 0)
        seen["pixels"] = pixels
        if len(frames) in (1, 30, 100, most):
            colours = len({raw[i:i + 3] for i in range(0, len(raw), 3)})
            pipe.write(json.dumps({"colours": colours}) + "\n")
    for at, name in plan:
        if at == len(frames):
            key = getattr(pygame, "K_" + name)
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=""))
            pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=0))
            held["key"], held["until"] = key, len(frames) + 2
    if len(frames) >= most:
        raise Enough

class Pressed:
    def __getitem__(self, key):
        return held.get("key") == key and len(frames) <= held.get("until", 0)
    def __len__(self): return 512

pygame.display.flip = pygame.display.update = shown
pygame.key.get_pressed = lambda: Pressed()
error = ""
os.chdir(os.path.dirname(path) or ".")
sys.path.insert(0, os.getcwd())
sys.argv = [path]
try:
    runpy.run_path(path, run_name="__main__")
except Enough:
    pass
except SystemExit:
    pass
except BaseException as problem:
    error = f"{type(problem).__name__}: {problem}"[:300]
pipe.write(json.dumps({"frames": frames, "areas": areas, "error": error}) + "\n")
pipe.flush()
os._exit(0)
"""


@dataclass(frozen=True)
class Played:
    """One run: a digest of each frame shown, colours seen, and the error that ended it.

    `areas` has, for each frame, how many of its pixels differ from the frame before.
    """

    frames: tuple[str, ...]
    colours: int
    error: str
    areas: tuple[float, ...] = ()

    @property
    def distinct(self) -> int:
        return len(set(self.frames))

    def has_ended(self, most: int) -> bool:
        """True if play stopped before its `most` frames: closed, standing still, begun anew."""
        if len(self.frames) < most:
            return not self.error
        return len(set(self.frames[-STILL:])) == 1 or self.begins_anew

    @property
    def begins_anew(self) -> bool:
        """True if much more of the picture changes at once than a step changes."""
        steps = sorted(area for area in self.areas if area)
        usual = steps[len(steps) // 2] if steps else 0.0
        return any(area >= JUMP * usual > 0 for area in self.areas[OPENING:])

    @property
    def goes_round(self) -> bool:
        """True if a picture of the last third comes again after others: walls hold nothing up."""
        start = 2 * len(self.frames) // 3
        last = {frame: place for place, frame in enumerate(self.frames)}
        return any(
            last[frame] - place >= LEAST_BACK
            for place, frame in enumerate(self.frames[start - start // 2 :], start - start // 2)
        )


def play(case: Case, name: str, keys: Sequence[tuple[int, str]], most: int = 240) -> Played:
    """Run the program `name` for at most `most` frames, pressing keys at frames from 1.

    A program that shows nothing in time counts as one that showed no frame.
    """
    path = case.require_file(name)
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(
            [sys.executable, "-c", DRIVER, str(path), json.dumps(list(keys)), str(most)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={"PATH": os.environ.get("PATH", ""), "HOME": "/tmp", "LANG": "C.UTF-8"},
            cwd=path.parent,
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(TIMEOUT_S)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        out.seek(0)
        return read_played(out.read(MOST_BYTES))


def read_played(raw: bytes) -> Played:
    """Read the child's report, without trusting any of it to have the right shape."""
    frames: tuple[str, ...] = ()
    areas: tuple[float, ...] = ()
    colours, error = 0, "it showed nothing in time"
    for line in raw.splitlines():
        said: Any = None
        with contextlib.suppress(ValueError):
            said = foreign_values.parse(line)
        if not isinstance(said, dict):
            continue
        colours = max(colours, int(foreign_values.number(said.get("colours"))))
        if isinstance(said.get("areas"), list):
            areas = tuple(foreign_values.number(n) for n in said["areas"][:10_000])
        if isinstance(said.get("frames"), list):
            frames = tuple(foreign_values.texts(said["frames"])[:10_000])
            error = foreign_values.text(said.get("error"))[:300]
    return Played(frames, colours, error, areas)


def scripts(case: Case, folder: str) -> list[Path]:
    """The Python files under the output `folder`; none ends the check."""
    root = case.output / folder
    if not root.is_dir():
        case.fail("folder exists", f"The folder ./output/{folder} was not made.", folder, "missing")
    found = sorted(p for p in root.rglob("*.py") if p.is_file())[:30]
    there = ", ".join(sorted(p.name for p in root.iterdir())[:6]) or "nothing"
    message = f"The folder ./output/{folder} holds no Python file, but {there}."
    case.demand("a program is there", found, "a .py file", there, folder, message)
    return found
