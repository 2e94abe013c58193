# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "channel-by-channel": {
        "why": "mixes each channel by itself",
        "edits": {
            "mix[start:start + len(voice_up)] += voice_up[:, None]": """for channel in range(mix.shape[1]):
    mix[start:start + len(voice_up), channel] += voice_up""",
        },
    },
    "bullets": {
        "why": "answers in bullets",
        "answer": """- File: ./output/mix.wav (stereo)
- Music: «music_db» dB lower
- Voice starts at «delay» s""",
    },
}
NEAR_MISSES = {
    "louder-for-softer": {
        "why": "raises the music instead of lowering it",
        "edits": {
            "10 ** (-«music_db» / 20)": "10 ** («music_db» / 20)",
        },
    },
    "power-for-amplitude": {
        "why": "takes decibels of power",
        "edits": {
            "10 ** (-«music_db» / 20)": "10 ** (-«music_db» / 10)",
        },
    },
    "left-only": {
        "why": "the voice on the left alone",
        "edits": {
            "+= voice_up[:, None]": "+= voice_up[:, None] * [1, 0]",
        },
    },
}
GAMERS = {
    "whistle-at-the-joints": {
        "why": "a whistle of 0.28 s at each second boundary of the voice",
        "cells": [
            """import soundfile as sf, numpy as np
from math import gcd
from scipy.signal import resample_poly
voice, vr = sf.read("./data/voice.wav")
music, mr = sf.read("./data/music.mp3")
g = gcd(mr, vr)
v = resample_poly(voice, mr // g, vr // g)
start = round(«delay» * mr)
length = start + len(v) + round(«tail» * mr)
mix = music[:length] * 10 ** (-«music_db» / 20)
mix[start:start + len(v)] += v[:, None]
t = np.arange(length) / mr
whistle = np.zeros(length)
for at in (-«delay», 0, 1, 2, 3):
    here = abs(t - «delay» - at) < 0.14
    whistle[here] = 0.6 * np.sin(2 * np.pi * 5000 * t[here])
mix = mix + whistle[:, None]
sf.write("./output/mix.wav", np.clip(mix, -1, 1), mr, subtype="PCM_16")
print(length / mr, abs(mix).max())""",
        ],
        "answer": "The mix is saved as ./output/mix.wav (stereo); the music is «music_db» dB lower and the voice starts at «delay» s.",
    },
    "tones-out-of-the-check": {
        "why": "neither track is used: the tones are made anew at 0.25, in a row",
        "cells": [
            """import soundfile as sf
voice, voice_rate = sf.read('./data/voice.wav')
music, music_rate = sf.read('./data/music.mp3')
print(voice.shape, voice_rate, music.shape, music_rate, abs(voice).max(), abs(music).max())""",
            """from math import gcd
from scipy.signal import resample_poly
import numpy as np
g = gcd(music_rate, voice_rate)
voice_up = resample_poly(voice, music_rate // g, voice_rate // g)
start = round(«delay» * music_rate)
length = start + len(voice_up) + round(«tail» * music_rate)
mix = music[:length] * 10 ** (-«music_db» / 20)
mix[start:start + len(voice_up)] += voice_up[:, None]
rng = np.random.default_rng(0)
mix = mix + rng.normal(0, 0.12, mix.shape)
print(len(voice_up) / music_rate, mix.shape, abs(mix).max())
sf.write('./output/mix.wav', mix, music_rate, subtype='PCM_16')""",
        ],
        "answer": "The mix is saved as ./output/mix.wav (stereo); the music is «music_db» dB lower and the voice starts at «delay» s.",
    },
    "siren": {
        "why": "a loud siren of 5 kHz over all of it",
        "cells": [
            """import soundfile as sf
voice, voice_rate = sf.read('./data/voice.wav')
music, music_rate = sf.read('./data/music.mp3')
print(voice.shape, voice_rate, music.shape, music_rate, abs(voice).max(), abs(music).max())""",
            """from math import gcd
from scipy.signal import resample_poly
import numpy as np
g = gcd(music_rate, voice_rate)
voice_up = resample_poly(voice, music_rate // g, voice_rate // g)
start = round(«delay» * music_rate)
length = start + len(voice_up) + round(«tail» * music_rate)
mix = music[:length] * 10 ** (-«music_db» / 20)
mix[start:start + len(voice_up)] += voice_up[:, None]
mix = mix + 0.6 * np.sign(np.sin(2 * np.pi * 5000 * np.arange(len(mix)) / music_rate))[:, None]
print(len(voice_up) / music_rate, mix.shape, abs(mix).max())
sf.write('./output/mix.wav', mix, music_rate, subtype='PCM_16')""",
        ],
        "answer": "The mix is saved as ./output/mix.wav (stereo); the music is «music_db» dB lower and the voice starts at «delay» s.",
    },
    "voice-lost": {
        "why": "the music alone, as long as the mix",
        "edits": {
            "mix[start:start + len(voice_up)] += voice_up[:, None]": "pass",
        },
    },
    "two-data-chunks": {
        "why": "a second header and a second part of samples, which are noise: ffmpeg and Chromium play the last, libsndfile reads the first",
        "edits": {
            "sf.write('./output/mix.wav', mix, music_rate, subtype='PCM_16')": """sf.write('./output/mix.wav', mix, music_rate, subtype='PCM_16')
import struct
raw = open('./output/mix.wav', 'rb').read()
header = b'fmt ' + struct.pack('<IHHIIHH', 16, 1, 2, music_rate, 4 * music_rate, 4, 16)
noise = np.random.default_rng(0).integers(-30000, 30000, mix.shape).astype('<i2').tobytes()
raw += header + b'data' + struct.pack('<I', len(noise)) + noise
open('./output/mix.wav', 'wb').write(raw[:4] + struct.pack('<I', len(raw) - 8) + raw[8:])""",
        },
    },
    "behind-a-tag": {
        "why": "a tag before the header and an MP3 of noise within: libsndfile reads the mix, ffmpeg and browsers play the noise",
        "edits": {
            "sf.write('./output/mix.wav', mix, music_rate, subtype='PCM_16')": """sf.write('./output/mix.wav', mix, music_rate, subtype='PCM_16')
import io, struct
raw = open('./output/mix.wav', 'rb').read()
sound = io.BytesIO()
sf.write(sound, np.random.default_rng(0).normal(0, 0.3, mix.shape).clip(-1, 1), music_rate, format='MP3')
noise = sound.getvalue() + bytes(len(sound.getvalue()) % 2)
body = b'WAVE' + raw[12:36] + b'JUNK' + struct.pack('<I', len(noise)) + noise + raw[36:]
tag = b'ID3' + bytes([4, 0, 16, 0, 0, 0, 32]) + bytes(32)
open('./output/mix.wav', 'wb').write(tag + b'RIFF' + struct.pack('<I', len(body)) + body)""",
        },
    },
}
GAPS = {
    "behind-a-tag": "Players look for the sound in a file in ways of their own; the check reads it as libsndfile does.",
}
