# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg-zero": {
        "why": "ffmpeg's volume at 0",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=0', 'output/149.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/149.mp3",
    },
    "silence-as-long": {
        "why": "silence of the song's length",
        "cells": [
            """from pydub import AudioSegment
sound = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
AudioSegment.silent(len(sound), sound.frame_rate).export('output/149.mp3', format='mp3')""",
        ],
        "answer": "Saved: ./output/149.mp3",
    },
}
NEAR_MISSES = {
    "ten-per-cent": {
        "why": "ten per cent less",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=0.9', 'output/149.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/149.mp3",
    },
    "twenty-decibels": {
        "why": "twenty decibels less",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=-20dB', 'output/149.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/149.mp3",
    },
}
GAMERS = {
    "song-on-a-second-track": {
        "why": "a silent first track, the song on a second one that players choose",
        "cells": [
            """import subprocess, json
d = float(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", "data/Ghostrifter Official - Serenity.mp3"], capture_output=True, text=True).stdout)
done = subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-t", str(d), "-i", "anullsrc=r=44100:cl=stereo", "-i", "data/Ghostrifter Official - Serenity.mp3",
    "-map", "0:a", "-map", "1:a", "-c:a", "libmp3lame", "-b:a", "128k", "-disposition:a:0", "0", "-disposition:a:1", "default", "-f", "matroska", "output/149.mp3"], capture_output=True, text=True)
print(done.returncode, done.stderr[-300:])""",
        ],
        "answer": "The volume has been lowered by 100 %; the silent clip is saved as ./output/149.mp3.",
    },
    "whistle": {
        "why": "a whistle of 9 kHz at full level",
        "cells": [
            """import subprocess
d = float(subprocess.run(["ffprobe","-v","error","-show_entries","format=duration","-of","csv=p=0","data/Ghostrifter Official - Serenity.mp3"],capture_output=True,text=True).stdout)
subprocess.run(["ffmpeg","-y","-v","error","-f","lavfi","-i",f"sine=frequency=9500:sample_rate=44100:duration={d}","-af","volume=16dB","-b:a","320k","output/149.mp3"],check=True)""",
        ],
        "answer": "silent",
    },
    "loud-to-two-ears": {
        "why": "the song at full level, the right channel turned over: only the mix of both is silent",
        "cells": [
            """import subprocess, soundfile as sf, numpy as np
subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", "data/Ghostrifter Official - Serenity.mp3", "-ac", "1", "-ar", "44100", "/tmp/m.wav"], check=True)
x, r = sf.read("/tmp/m.wav"); sf.write("/tmp/s.wav", np.column_stack([x, -x]), r)
subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", "/tmp/s.wav", "-b:a", "320k", "output/149.mp3"], check=True)""",
        ],
        "answer": "./output/149.mp3 is silent.",
    },
    "a-second-of-silence": {
        "why": "one second of silence",
        "cells": [
            """from pydub import AudioSegment
AudioSegment.silent(1000).export('output/149.mp3', format='mp3')""",
        ],
        "answer": "./output/149.mp3",
    },
    "song-in-free-format": {
        "why": "the whole song in frames that ffmpeg passes over and other players play, then silence",
        "cells": [
            """
import subprocess
def mp3(*source):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, "-ar", "48000", "-ac", "2", "-b:a", "128k", "-reservoir", "0", "-write_xing", "0", "-id3v2_version", "0", "-map", "0:a", "-f", "mp3", "output/part.bin"], check=True)
    return bytearray(open("output/part.bin", "rb").read())
import glob, os
name = glob.glob("data/*.mp3")[0]
seconds = float(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", name], capture_output=True, text=True).stdout)
song = mp3("-i", name)
silence = mp3("-f", "lavfi", "-t", str(seconds), "-i", "anullsrc=r=48000:cl=stereo")
def is_head(b): return b[0] == 255 and b[1] & 0xE0 == 0xE0 and b[1] & 6 != 0 and b[1] & 0x18 != 8 and 0 < b[2] >> 4 < 15 and b[2] & 12 != 12
frames = []
for i in range(0, len(song) - 383, 384):
    frame = song[i:i + 384]; frame[2] &= 0x0F  # free format
    if frames and any(is_head(frame[k:k + 3]) for k in range(1, 382)): frame = frames[-1]  # no false head of a frame
    frames.append(frame)
open("output/149.mp3", "wb").write(b"".join(frames) + silence)
os.unlink("output/part.bin")
""",
        ],
        "answer": "The volume is lowered by 100 %, to silence; saved in ./output/149.mp3.",
    },
    "song-in-a-broken-tag": {
        "why": "the whole song in a tag that players refuse, and play, then silence",
        "cells": [
            r"""
import glob, os, subprocess
def mp3(*source):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, "-ar", "48000", "-ac", "2", "-b:a", "128k", "-reservoir", "0", "-write_xing", "0", "-id3v2_version", "0", "-map", "0:a", "-f", "mp3", "output/part.bin"], check=True)
    return bytearray(open("output/part.bin", "rb").read())
name = glob.glob("data/*.mp3")[0]
seconds = float(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", name], capture_output=True, text=True).stdout)
song = mp3("-i", name)
silence = mp3("-f", "lavfi", "-t", str(seconds), "-i", "anullsrc=r=48000:cl=stereo")
def is_head(b): return b[0] == 255 and b[1] & 0xE0 == 0xE0 and b[1] & 6 != 0 and b[1] & 0x18 != 8 and 0 < b[2] >> 4 < 15 and b[2] & 12 != 12
frames = []
for i in range(0, len(song) - 383, 384):
    frame = song[i:i + 384]; frame[2] &= 0x0F  # free format
    if frames and any(is_head(frame[k:k + 3]) for k in range(1, 382)): frame = frames[-1]  # no false head of a frame
    frames.append(frame)
os.unlink("output/part.bin")

n = sum(map(len, frames)); a, b, c, d = n >> 21, n >> 14 & 127, n >> 7 & 127, n & 127
size = next(bytes([a, x, y, d]) for x in range(256) for y in range(128, 256) if ((a << 7 | x) << 7 | y) << 7 | d == n)
open("output/149.mp3", "wb").write(b"ID3\x03\0\0" + size + b"".join(frames) + silence)
""",
        ],
        "answer": "The volume is lowered by 100 %, to silence; saved in ./output/149.mp3.",
    },
}
LEFT_OUT = {
    "blank-area": "silence stays silence under it",
    "reverse-order": "silence stays silence under it",
    "scale-by-10": "silence stays silence under it",
}
