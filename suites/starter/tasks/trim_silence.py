# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Cut the silence off both ends of a recording and fade its end out; the pause in it stays."""

from pathlib import Path

import numpy as np

from runner.checks import Case
from runner.checks.inputs import media
from runner.checks.media import audio

TITLE = "剪掉录音首尾的静音并淡出"
CATEGORY = "image"
LANGUAGE = "zh"
QUERY = """
./data/recording.wav 是一段单声道录音，开头和结尾各有一段只有底噪的“静音”，中间还有一次停顿。请：
1. 剪掉开头和结尾的静音：保留从第一个到最后一个幅度（绝对值）达到满量程 «threshold»% 的采样点之间的全部内容（误差在 20 毫秒以内即可），中间的停顿必须保留；
2. 对剪好之后的最后 «fade_ms» 毫秒做线性淡出（音量按直线从 100% 降到 0），其余部分音量不变；
3. 保存为 ./output/trimmed.wav，采样率与原文件相同，单声道，16 位 PCM。
最后告诉我剪好之后的时长是多少秒（保留两位小数）。
"""
INPUTS = ["recording.wav"]
OUTPUTS = ["trimmed.wav"]

RATE = 22050
EDGE_S = 0.02  # how exactly the cut has to be met
WINDOW_S = 0.02
FLOOR_DB = -50.0  # of a window of the recording: a softer one counts as this loud
MOST_OFF_DB = -18.0
NOTES_HZ = [262, 294, 330, 349, 392, 440, 494, 523]


def make_inputs(seed: int, data: Path) -> dict:
    rng = np.random.default_rng(seed)
    first = [play_note(rng, 0.35) for _ in range(4)]
    last = [play_note(rng, 0.35) for _ in range(3)] + [play_note(rng, 1.5)]
    silences = [np.zeros(round(seconds * RATE)) for seconds in rng.uniform(0.7, 1.6, size=3)]
    sound = np.concatenate([silences[0], *first, silences[1], *last, silences[2]])
    sound = (
        sound
        + np.clip(media.hiss(rng, len(sound) / RATE, RATE, 0.001), -0.004, 0.004)[: len(sound)]
    )
    media.write_wav(data / "recording.wav", sound, RATE)
    return {"threshold": 1, "fade_ms": int(rng.choice([600, 800, 1000, 1200]))}


def play_note(rng: np.random.Generator, seconds: float):
    hz = float(rng.choice(NOTES_HZ)) * float(rng.uniform(0.99, 1.01))
    return media.tone(hz, seconds, RATE, float(rng.uniform(0.3, 0.6)))


def kept_part(case: Case):
    """The samples between the first and the last loud one."""
    samples = audio.load(case.data / "recording.wav").samples[:, 0]
    loud = np.flatnonzero(np.abs(samples) >= case.parameters["threshold"] / 100)
    return samples[loud[0] : loud[-1] + 1]


def check(case: Case) -> None:
    name = "trimmed.wav"
    kept = kept_part(case)
    sound = audio.read(case, name, "WAV")
    audio.require_form(case, sound, RATE, 1, name)
    case.equal("sample format", sound.subtype, "PCM_16", name)
    seconds = len(kept) / RATE
    if not case.near("duration in s", sound.seconds, seconds, 2 * EDGE_S, name):
        return
    late = audio.lag(sound.samples[:, 0], kept, round(0.5 * RATE)) / RATE
    if case.near("start of the sound in s", late, 0.0, EDGE_S, name):
        expect_body_kept(case, sound, kept)
        expect_fade(case, sound, kept)
        expect_all_along(case, sound, late)
    answers_seconds(case, seconds)


def aligned(sound: audio.Sound, kept):
    """Output and kept part, cut to where both have samples and begin with the same one."""
    late = audio.lag(sound.samples[:, 0], kept, round(EDGE_S * RATE))
    mine, theirs = sound.samples[max(0, late) :, 0], kept[max(0, -late) :]
    length = min(len(mine), len(theirs))
    return mine[:length], theirs[:length]


def expect_body_kept(case: Case, sound: audio.Sound, kept) -> None:
    mine, theirs = aligned(sound, kept)
    body = len(theirs) - round((case.parameters["fade_ms"] / 1000 + 2 * EDGE_S) * RATE)
    off = audio.level_db(mine[:body] - theirs[:body]) - audio.level_db(theirs[:body])
    case.expect(
        "sound before the fade",
        off <= -30,
        expected="unchanged: difference 30 dB below it or less",
        actual=f"{off:.1f} dB",
        file="trimmed.wav",
    )


def expect_fade(case: Case, sound: audio.Sound, kept) -> None:
    """The gain in the middle of each fifth of the fade, against the straight line."""
    mine, theirs = aligned(sound, kept)
    fade = round(case.parameters["fade_ms"] / 1000 * RATE)
    for fifth in range(5):
        start = len(theirs) - fade + fade * fifth // 5
        part = np.s_[start : start + fade // 5]
        gain = float(mine[part] @ theirs[part] / (theirs[part] @ theirs[part]))
        case.near(
            f"gain in fifth {fifth + 1} of the fade", gain, 0.9 - 0.2 * fifth, 0.06, "trimmed.wav"
        )
    off = mine[-fade:] - theirs[-fade:] * np.linspace(1, 0, fade)
    left = audio.level_db(off) - audio.level_db(theirs[-fade:])
    case.expect(
        "nothing but the sound in the fade",
        left <= -18,
        expected="18 dB or more below it",
        actual=f"{left:.1f} dB",
        file="trimmed.wav",
    )


def expect_all_along(case: Case, sound: audio.Sound, late: float) -> None:
    """In each short window, from its first sample to its last, the recording and its fade."""
    recording = audio.load(case.data / "recording.wav").samples[:, 0]
    loud = np.flatnonzero(np.abs(recording) >= case.parameters["threshold"] / 100)
    mine = sound.samples[:, 0]
    start = int(loud[0]) - round(late * RATE)
    theirs = recording[max(0, start) : max(0, start) + len(mine)]
    mine = mine[: len(theirs)]
    fade = round(case.parameters["fade_ms"] / 1000 * RATE)
    curve = np.concatenate([np.ones(max(0, len(mine) - fade)), np.linspace(1, 0, fade)])
    off = mine - theirs * curve[len(curve) - len(mine) :]
    size = round(WINDOW_S * RATE)
    levels = [
        audio.level_db(off[at : at + size]) - max(FLOOR_DB, audio.level_db(theirs[at : at + size]))
        for at in range(0, len(off), size)
    ]
    worst = int(np.argmax(levels))
    case.expect(
        "the recording at all times",
        levels[worst] <= MOST_OFF_DB,
        expected=f"{-MOST_OFF_DB:g} dB or more below it, in each {1000 * WINDOW_S:g} ms",
        actual=f"{levels[worst]:.1f} dB at {worst * WINDOW_S:.2f} s",
        file="trimmed.wav",
        message=f"trimmed.wav is not the recording as asked for at {worst * WINDOW_S:.2f} s.",
    )


def answers_seconds(case: Case, seconds: float) -> None:
    from runner.checks.text import answers, units

    answers.number_near(case, ["时长", "长度", "秒"], seconds, 0.03, concludes=True)
    units.expect_unit(case, "s", seconds, 0.03, "answer: length")


REFERENCE = {
    "cells": [
        "import soundfile as sf\n"
        "import numpy as np\n"
        "samples, rate = sf.read('./data/recording.wav')\n"
        "print(samples.shape, rate, sf.info('./data/recording.wav').subtype)\n"
        "for start in range(0, len(samples), rate // 2):\n"
        "    print(round(start / rate, 1), round(float(np.abs(samples[start:start + rate // 2]).max()), 4))",
        "loud = np.flatnonzero(np.abs(samples) >= «threshold» / 100)\n"
        "kept = samples[loud[0]:loud[-1] + 1].copy()\n"
        "fade = int(round(rate * «fade_ms» / 1000))\n"
        "kept[-fade:] *= np.linspace(1, 0, fade)\n"
        "sf.write('./output/trimmed.wav', kept, rate, subtype='PCM_16')\n"
        "print(f'seconds: {len(kept) / rate:.2f}')",
    ],
    "answer": "已剪掉首尾静音并加上淡出，保存为 ./output/trimmed.wav，时长为 «seconds» 秒。",
}
WRONG = {
    "faded-in": {
        "why": "fades the beginning in instead of the end out",
        "cells": [
            "import soundfile as sf\n"
            "import numpy as np\n"
            "samples, rate = sf.read('./data/recording.wav')\n"
            "loud = np.flatnonzero(np.abs(samples) >= 0.01)\n"
            "kept = samples[loud[0]:loud[-1] + 1].copy()\n"
            "fade = rate * «fade_ms» // 1000\n"
            "kept[:fade] *= np.linspace(0, 1, fade)\n"
            "sf.write('./output/trimmed.wav', kept, rate, subtype='PCM_16')\n"
            "print(f'seconds: {len(kept) / rate:.2f}')"
        ],
        "answer": "处理完成，时长 «seconds» 秒。",
    },
    "pause-removed": {
        "why": "also removes the pause in the middle",
        "cells": [
            "import soundfile as sf\n"
            "import numpy as np\n"
            "samples, rate = sf.read('./data/recording.wav')\n"
            "block = rate // 100\n"
            "blocks = [samples[i:i + block] for i in range(0, len(samples), block)]\n"
            "kept = np.concatenate([b for b in blocks if np.abs(b).max() >= 0.01])\n"
            "fade = rate * «fade_ms» // 1000\n"
            "kept[-fade:] *= np.linspace(1, 0, fade)\n"
            "sf.write('./output/trimmed.wav', kept, rate, subtype='PCM_16')\n"
            "print(f'seconds: {len(kept) / rate:.2f}')"
        ],
        "answer": "静音已去除，时长为 «seconds» 秒，文件是 ./output/trimmed.wav。",
    },
    "end-left": {
        "why": "cuts only the beginning and fades out the noise at the end",
        "cells": [
            "import soundfile as sf\n"
            "import numpy as np\n"
            "samples, rate = sf.read('./data/recording.wav')\n"
            "first = np.argmax(np.abs(samples) >= 0.01)\n"
            "kept = samples[first:].copy()\n"
            "fade = rate * «fade_ms» // 1000\n"
            "kept[-fade:] *= np.linspace(1, 0, fade)\n"
            "sf.write('./output/trimmed.wav', kept, rate, subtype='PCM_16')\n"
            "print(f'seconds: {len(kept) / rate:.2f}')"
        ],
        "answer": "已剪掉静音并淡出，时长为 «seconds» 秒。",
    },
    "resampled": {
        "why": "writes the samples with the rate 44100, twice as fast",
        "cells": [
            "import soundfile as sf\n"
            "import numpy as np\n"
            "samples, rate = sf.read('./data/recording.wav')\n"
            "loud = np.flatnonzero(np.abs(samples) >= 0.01)\n"
            "kept = samples[loud[0]:loud[-1] + 1].copy()\n"
            "fade = rate * «fade_ms» // 1000\n"
            "kept[-fade:] *= np.linspace(1, 0, fade)\n"
            "sf.write('./output/trimmed.wav', kept, 44100, subtype='PCM_16')\n"
            "print(f'seconds: {len(kept) / rate:.2f}')"
        ],
        "answer": "时长为 «seconds» 秒，已保存。",
    },
}
