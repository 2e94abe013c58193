"""Pictures, sounds and films: as every browser shows and plays them."""

from __future__ import annotations

import io
import json
import math
import shutil
import subprocess
from pathlib import Path, PurePosixPath
from typing import Any

from runner.previews.inside.parts import (
    MAX_PICTURE_BYTES,
    PICTURE_PX,
    CannotOpen,
    Part,
    counted,
    packed,
    sentence,
)

MAX_CLIP_BYTES = 1_200_000
PICTURE_PIXELS = 2_000_000
MOST_PIXELS = 300_000_000
POSTER_PX = 800
POSTER_FRAMES = 60  # looked at for one that is not blank
CLIP_S = 30
PLAYED_VIDEO = {"h264", "vp8", "vp9", "av1"}  # by browsers
PLAYED_AUDIO = {"aac", "mp3", "opus", "vorbis", "flac"}


def read_picture(path: str) -> Part:
    """As a PNG that every browser shows."""
    import PIL.Image
    import PIL.ImageOps

    PIL.Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    with PIL.Image.open(path) as image:
        facts = [["kind", image.format or ""], ["size", f"{image.width:,} × {image.height:,}"]]
        frames = getattr(image, "n_frames", 1)
        scale = scale_of(image)
        note = sentence(
            f"The first of {frames:,} pictures in it." if frames > 1 else "",
            "Shown smaller than it is." if scale < 1 else "",
        )
        image.draft("RGB", (PICTURE_PX, PICTURE_PX))
        if image.mode.startswith(("I", "F")):
            image = stretched(image)
        elif scale < 1 and "P" not in image.mode:  # in place: copies of all of it fill the memory
            image.thumbnail((PICTURE_PX, PICTURE_PX), reducing_gap=2.0)
        shown = PIL.ImageOps.exif_transpose(image)
        shown = shown.convert(
            "RGBA" if "A" in shown.mode or "transparency" in shown.info else "RGB"
        )
    scale = scale_of(shown)
    while True:
        size = (max(1, int(shown.width * scale)), max(1, int(shown.height * scale)))
        stream = io.BytesIO()
        shown.resize(size, PIL.Image.Resampling.LANCZOS, reducing_gap=2.0).save(stream, "PNG")
        if stream.tell() <= MAX_PICTURE_BYTES:
            break
        scale *= 0.7
    return {"facts": facts, "parts": [], "poster": packed(stream.getvalue()), "note": note}


def scale_of(image: Any) -> float:
    """At which it is shown: at most PICTURE_PX wide and high, of at most PICTURE_PIXELS."""
    width, height = int(image.width), int(image.height)
    return min(1.0, PICTURE_PX / max(width, height), math.sqrt(PICTURE_PIXELS / (width * height)))


def stretched(image: Any) -> Any:
    """Greys of 16 bits or floats over the range that they have."""
    import numpy
    import PIL.Image

    values = numpy.nan_to_num(numpy.asarray(image, dtype="float64"))
    span = values.max() - values.min()
    grey = (values - values.min()) / (span or 1) * 255
    return PIL.Image.fromarray(grey.astype("uint8"), "L")


def read_media(path: str) -> Part:
    """Length, rate and codecs of a sound or film, a frame of it, and what a browser can play."""
    streams, seconds = probe(path)
    video = next((one for one in streams if one["codec_type"] == "video"), None)
    audio = next((one for one in streams if one["codec_type"] == "audio"), None)
    cover = video is not None and video.get("disposition", {}).get("attached_pic")
    if cover:
        video = None
    facts = [["length", say_seconds(seconds)]] if seconds else []
    if video:
        facts += [["size", f"{video.get('width')} × {video.get('height')}"]]
        top, _, bottom = str(video.get("avg_frame_rate", "")).partition("/")
        if top.isdigit() and bottom.isdigit() and int(bottom):
            facts += [["frames per second", f"{int(top) / int(bottom):.4g}"]]
        facts += [["video", str(video.get("codec_name"))]]
    if audio:
        channels = counted(int(audio.get("channels", 1)), "channel")
        rate = f"{int(audio.get('sample_rate') or 0):,} Hz"
        facts += [["audio", f"{audio.get('codec_name')}, {rate}, {channels}"]]
    if not (video or audio):
        raise CannotOpen("no sound and no film is in it")
    found: Part = {"facts": facts, "parts": [], "plays": "video" if video else "audio"}
    if video and (poster := read_frame(path)):
        found["poster"] = packed(poster)
    if not is_playable(path, video, audio):
        found |= make_clip(path, bool(video), seconds)
    return found


def probe(path: str) -> tuple[list[dict[str, Any]], float]:
    argv = [
        "ffprobe",
        "-v",
        "error",
        "-print_format",
        "json",
        "-show_streams",
        "-show_format",
        path,
    ]
    if shutil.which("ffprobe") is None:
        raise CannotOpen("this host has no ffprobe")
    done = subprocess.run(argv, capture_output=True, check=False, timeout=15)
    if done.returncode:
        raise CannotOpen("it is no sound or film that can be read")
    found = json.loads(done.stdout)
    seconds = found.get("format", {}).get("duration")
    return found.get("streams", []), float(seconds) if seconds else 0.0


def say_seconds(seconds: float) -> str:
    return (
        f"{seconds:.1f} s" if seconds < 90 else f"{int(seconds) // 60}:{int(seconds) % 60:02} min"
    )


def is_playable(path: str, video: Any, audio: Any) -> bool:
    """True for what browsers play as it is."""
    suffix = PurePosixPath(path).suffix
    if video and (suffix not in (".mp4", ".webm") or video.get("codec_name") not in PLAYED_VIDEO):
        return False
    if video and str(video.get("pix_fmt", "yuv420p")) not in ("yuv420p", "yuvj420p"):
        return False
    codec = str(audio.get("codec_name")) if audio else "aac"
    if suffix == ".wav":
        return codec in ("pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le")
    return codec in PLAYED_AUDIO and suffix in (
        ".mp4",
        ".webm",
        ".m4a",
        ".mp3",
        ".ogg",
        ".flac",
        ".aac",
    )


def read_frame(path: str) -> bytes | None:
    """A frame that is neither black nor of one colour, as a PNG."""
    import cv2

    film = cv2.VideoCapture(path)
    picture = None
    for _ in range(POSTER_FRAMES):
        is_read, frame = film.read()
        if not is_read:
            break
        picture = frame
        if frame.std() > 8:
            break
    if picture is None:
        return None
    height, width = picture.shape[:2]
    scale = min(1.0, POSTER_PX / max(height, width))
    small = (max(1, int(width * scale)), max(1, int(height * scale)))
    is_made, png = cv2.imencode(".png", cv2.resize(picture, small, interpolation=cv2.INTER_AREA))
    return png.tobytes() if is_made else None


def make_clip(path: str, is_film: bool, seconds: float) -> Part:
    """The beginning in a form that every browser plays; a sentence where none can be made."""
    unplayed = "Not every browser plays it as it is"
    if shutil.which("ffmpeg") is None:
        return {"plays": "", "note": f"{unplayed}, and this host has no ffmpeg to change that."}
    clip = f"{path}.clip.{'webm' if is_film else 'ogg'}"
    picture = [
        *("-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "250k"),
        *("-vf", "scale='min(480,iw)':-2", "-pix_fmt", "yuv420p"),
    ]
    sound = ["-c:a", "libopus" if not is_film else "libvorbis", "-ac", "2", "-b:a", "64k"]
    argv = ["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-i", path, "-t", str(CLIP_S)]
    argv += [*(picture if is_film else ["-vn"]), *sound, "-fs", str(MAX_CLIP_BYTES - 50_000), clip]
    subprocess.run(argv, check=False, timeout=20, capture_output=True)
    content = Path(clip).read_bytes() if Path(clip).exists() else b""
    if not 0 < len(content) <= MAX_CLIP_BYTES:
        return {"plays": "", "note": f"{unplayed}."}
    cut = f" (its first {CLIP_S} s)" if seconds > CLIP_S else ""
    return {"player": packed(content), "note": f"{unplayed}: a copy plays{cut}."}
