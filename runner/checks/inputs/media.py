"""Deterministic writers of pictures and sounds: the same arguments give the same bytes."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from PIL import Image

ENCODE_TIMEOUT_S = 30.0
ORIENTATION_TAG = 0x0112
EXACT = ("-bitexact", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1")


def write_picture(path: Path, pixels: Any, orientation: int | None = None) -> None:
    """Write `pixels` (H, W[, 3|4]) in the format of the suffix; jpeg at quality 95."""
    picture = Image.fromarray(pixels)
    options: dict[str, Any] = {}
    if path.suffix in {".jpg", ".jpeg"}:
        options = {"quality": 95, "subsampling": 0}
    if orientation is not None:
        exif = Image.Exif()
        exif[ORIENTATION_TAG] = orientation
        options["exif"] = exif
    picture.save(path, **options)


def write_gif(path: Path, frames: Sequence[Any], durations_ms: Sequence[int]) -> None:
    """An endless animation of RGB `frames`, each shown for its own multiple of 10 ms."""
    pictures = [Image.fromarray(frame).quantize(128, dither=Image.Dither.NONE) for frame in frames]
    pictures[0].save(
        path,
        save_all=True,
        append_images=pictures[1:],
        duration=list(durations_ms),
        loop=0,
        disposal=1,
    )


def tone(hz: float, seconds: float, rate: int, level: float) -> Any:
    """A sine of amplitude `level` with 10 ms ramps at its ends, as float samples."""
    times = np.arange(round(seconds * rate)) / rate
    ramp_samples = min(len(times) // 2, round(0.01 * rate))
    envelope = np.ones(len(times))
    envelope[:ramp_samples] = np.linspace(0, 1, ramp_samples)
    envelope[len(times) - ramp_samples :] = np.linspace(1, 0, ramp_samples)
    return level * envelope * np.sin(2 * np.pi * hz * times)


def hiss(rng: np.random.Generator, seconds: float, rate: int, level: float) -> Any:
    """White noise whose root mean square is `level`."""
    return rng.normal(0, level, size=round(seconds * rate))


def write_wav(path: Path, samples: Any, rate: int) -> None:
    """16-bit PCM of float samples (n,) or (n, channels) within ±1."""
    soundfile.write(path, np.clip(samples, -1, 1), rate, subtype="PCM_16", format="WAV")


def write_mp3(path: Path, samples: Any, rate: int, bitrate: str = "192k") -> None:
    """MPEG layer 3 of float samples, without tags or an encoder's name."""
    source = io.BytesIO()
    soundfile.write(source, np.clip(samples, -1, 1), rate, subtype="PCM_16", format="WAV")
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "wav", "-i", "pipe:0"]
    command += [*EXACT, "-threads", "1", "-b:a", bitrate, "-f", "mp3", "pipe:1"]
    done = subprocess.run(
        command, input=source.getvalue(), stdout=subprocess.PIPE, timeout=ENCODE_TIMEOUT_S
    )
    if done.returncode != 0 or not done.stdout:
        raise RuntimeError(f"ffmpeg ended with {done.returncode}")
    path.write_bytes(done.stdout)
