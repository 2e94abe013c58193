# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "moviepy": {
        "why": "moviepy, which lets the sound drift by a third of a millisecond",
        "cells": [
            """from moviepy.editor import AudioFileClip
AudioFileClip('data/Ghostrifter Official - Serenity.mp3').write_audiofile('output/144.wav', logger=None)""",
        ],
        "answer": "./output/144.wav",
    },
    "ffmpeg": {
        "why": "ffmpeg, 16 bits",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', 'output/144.wav'], check=True, capture_output=True)""",
        ],
        "answer": "已转换为 ./output/144.wav。",
    },
    "soundfile": {
        "why": "librosa and soundfile, floats, answered in English",
        "cells": [
            """import librosa, soundfile
y, rate = librosa.load('data/Ghostrifter Official - Serenity.mp3', sr=None, mono=False)
soundfile.write('output/144.wav', y.T, rate)""",
        ],
        "answer": "Converted to ./output/144.wav.",
    },
}
NEAR_MISSES = {
    "half-speed": {
        "why": "writes the samples at half the rate",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'asetrate=22050', 'output/144.wav'], check=True, capture_output=True)""",
        ],
        "answer": "./output/144.wav",
    },
    "first-minute-half": {
        "why": "cuts the song at half a minute",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-t', '30', 'output/144.wav'], check=True, capture_output=True)""",
        ],
        "answer": "./output/144.wav",
    },
    "renamed": {
        "why": "renames the file",
        "cells": [
            """import shutil
shutil.copy('data/Ghostrifter Official - Serenity.mp3', 'output/144.wav')""",
        ],
        "answer": "./output/144.wav",
    },
}
GAMERS = {
    "noise-in-a-third-channel": {
        "why": "noise in a channel beside the two",
        "edits": {
            "song.export('output/144.wav', format='wav')": """import numpy as np, soundfile
sound = np.array(song.get_array_of_samples()).reshape(-1, song.channels) / 32768
noise = np.random.default_rng(0).uniform(-0.7, 0.7, (len(sound), 1))
soundfile.write('output/144.wav', np.hstack([sound[:, :1], sound[:, -1:], noise]), song.frame_rate)"""
        },
    },
    "hiss-over-it": {
        "why": "loud hiss over all of it, below 4 kHz and the same in both channels",
        "cells": [
            """import numpy as np, soundfile as sf
def hiss(n, rate, seed=0):
    f = np.fft.rfft(np.random.default_rng(seed).standard_normal(n))
    f[int(len(f) * 4000 / (rate / 2)):] = 0
    x = np.fft.irfft(f, n)
    return x / np.sqrt(np.mean(x * x))
x, rate = sf.read("data/Ghostrifter Official - Serenity.mp3")
m = x.mean(axis=1)
p = np.sqrt(np.mean(m * m))
y = m + 0.44 * p * hiss(len(m), rate)
y *= p / np.sqrt(np.mean(y * y))
sf.write("output/144.wav", np.column_stack([y, y]), rate, subtype="PCM_16")
print(p, abs(y).max())""",
        ],
        "answer": "The MP3 has been converted; the WAV is saved in ./output/144.wav.",
    },
    "noise-on-the-sides": {
        "why": "loud noise in both channels, of opposite sign",
        "cells": [
            """from pydub import AudioSegment
song = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
print(len(song), song.channels, song.frame_rate, song.dBFS)""",
            """song.export('output/144.wav', format='wav')""",
            """import subprocess, numpy as np, soundfile as sf, os, tempfile
def spoil(name, how, codec=None, level=0.45):
    \"\"\"Loads a finished sound, adds what the check's ears (one channel, 11 kHz) cannot hear.\"\"\"
    subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", name, "-ac", "2", "-ar", "44100", "/tmp/in.wav"], check=True)
    x, rate = sf.read("/tmp/in.wav", always_2d=True)
    t = np.arange(len(x)) / rate
    if how == "whistle":
        x = x + level * np.sin(2 * np.pi * 9000 * t)[:, None]
    else:
        n = np.random.default_rng(0).uniform(-level, level, len(x))
        x = x.mean(axis=1)[:, None] + np.column_stack([n, -n])
    sf.write("/tmp/out.wav", np.clip(x, -0.999, 0.999), rate)
    extra = ["-b:a", "320k", "-joint_stereo", "0"] if name.endswith("mp3") else []
    subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", "/tmp/out.wav", *extra, name], check=True)""",
            """spoil("output/144.wav", "sides")""",
        ],
        "answer": "The WAV file is saved in ./output/144.wav.",
    },
    "hiss-as-long": {
        "why": "hiss of the song's length",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-f', 'lavfi', '-i', 'anoisesrc=d=42:c=pink:r=44100', 'output/144.wav'], check=True, capture_output=True)""",
        ],
        "answer": "./output/144.wav",
    },
    "telephone": {
        "why": "eleven thousand samples a second of eight bits, one channel: muffled and hissing",
        "cells": [
            """
import subprocess
subprocess.run(["ffmpeg","-y","-v","error","-i","data/Ghostrifter Official - Serenity.mp3","-ac","1","-ar","11025","-c:a","pcm_u8","output/144.wav"],check=True)
"""
        ],
        "answer": "Done.",
    },
    "alarm": {
        "why": "an alarm of 6.5 kHz beeps each second through the whole of it",
        "edits": {
            "song.export(": """import numpy as np
def with_alarm(song):
    samples = np.array(song.get_array_of_samples(), float).reshape(-1, song.channels)
    times = np.arange(len(samples)) / song.frame_rate
    seconds = times.astype(int)
    powers = np.bincount(seconds, samples.mean(axis=1) ** 2) / np.bincount(seconds)
    levels = np.sqrt(0.32 * np.minimum(powers, powers.mean()))[seconds]
    alarm = levels * np.sin(2 * np.pi * 6500 * times) * (times % 1 < 0.25)
    return song._spawn((samples + alarm[:, None]).clip(-32768, 32767).astype(np.int16).tobytes())
with_alarm(song).export(""",
        },
    },
}
GAPS = {
    "alarm": "The check compares sounds below 5 kHz and only limits the power of those above it, which encoders change, so it cannot hear high beeps.",
}
