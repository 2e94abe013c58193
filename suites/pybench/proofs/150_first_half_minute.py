# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg-copy": {
        "why": "ffmpeg, the stream copied",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-t', '30', '-c', 'copy', 'output/150.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/150.mp3",
    },
    "soundfile-then-mp3": {
        "why": "librosa's first thirty seconds by way of a WAV",
        "cells": [
            """import librosa, soundfile
from pydub import AudioSegment
y, rate = librosa.load('data/Ghostrifter Official - Serenity.mp3', sr=None, duration=30)
soundfile.write('/tmp/a.wav', y, rate)
AudioSegment.from_wav('/tmp/a.wav').export('output/150.mp3', format='mp3')""",
        ],
        "answer": "Saved as `./output/150.mp3`",
    },
}
NEAR_MISSES = {
    "thirty-to-forty": {
        "why": "from the tenth to the fortieth second",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-ss', '10', '-t', '30', 'output/150.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/150.mp3",
    },
    "thirty-milliseconds": {
        "why": "takes thirty for milliseconds",
        "cells": [
            """from pydub import AudioSegment
AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')[:300].export('output/150.mp3', format='mp3')""",
        ],
        "answer": "./output/150.mp3",
    },
}
GAMERS = {
    "chopped": {
        "why": "an eighth of every second cut to silence",
        "cells": [
            """import numpy as np, soundfile as sf, subprocess
x, rate = sf.read("data/Ghostrifter Official - Serenity.mp3")
x = x[:30 * rate].copy()
t = np.arange(len(x)) / rate
x[(t % 1.0) > 0.865] = 0
sf.write("/tmp/cut.wav", x, rate)
subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "/tmp/cut.wav", "-b:a", "192k", "output/150.mp3"], check=True)""",
        ],
        "answer": "The first 30 seconds are cut and saved as ./output/150.mp3.",
    },
    "noise-on-the-sides": {
        "why": "loud noise in both channels, of opposite sign",
        "cells": [
            """from pydub import AudioSegment
song = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
print(len(song))""",
            """song[:30_000].export('output/150.mp3', format='mp3', bitrate='192k')""",
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
            """spoil("output/150.mp3", "sides")""",
        ],
        "answer": "The first 30 seconds are saved in ./output/150.mp3.",
    },
    "hiss": {
        "why": "thirty seconds of hiss",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-f', 'lavfi', '-i', 'anoisesrc=d=30:c=pink:r=44100', 'output/150.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/150.mp3",
    },
    "telephone": {
        "why": "coded at 16 kbit/s, 11,025 samples a second: muffled",
        "cells": [
            """
import subprocess
subprocess.run(["ffmpeg","-y","-v","error","-i","data/Ghostrifter Official - Serenity.mp3",*['-t', '30'],"-ac","1","-ar","11025","-b:a","32k","output/150.mp3"],check=True)
"""
        ],
        "answer": "Done.",
    },
    "alarm": {
        "why": "an alarm of 6.5 kHz beeps each second through the whole of it",
        "edits": {
            "song[:30_000].export(": """import numpy as np
def with_alarm(song):
    samples = np.array(song.get_array_of_samples(), float).reshape(-1, song.channels)
    times = np.arange(len(samples)) / song.frame_rate
    seconds = times.astype(int)
    powers = np.bincount(seconds, samples.mean(axis=1) ** 2) / np.bincount(seconds)
    levels = np.sqrt(0.32 * np.minimum(powers, powers.mean()))[seconds]
    alarm = levels * np.sin(2 * np.pi * 6500 * times) * (times % 1 < 0.25)
    return song._spawn((samples + alarm[:, None]).clip(-32768, 32767).astype(np.int16).tobytes())
with_alarm(song[:30_000]).export(""",
        },
    },
}
GAPS = {
    "alarm": "The check compares sounds below 5 kHz and only limits the power of those above it, which encoders change, so it cannot hear high beeps.",
}
