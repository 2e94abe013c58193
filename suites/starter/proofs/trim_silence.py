# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "milliseconds-beside": {
        "why": "seconds, and milliseconds in brackets",
        "edits": {
            "print(f'seconds: {len(kept) / rate:.2f}')": "print(f'seconds: {len(kept) / rate:.2f}')\nprint('ms:', round(1000 * len(kept) / rate))"
        },
        "answer": "时长约 «seconds» 秒（«ms» 毫秒），淡出 «fade_ms» 毫秒。",
    },
    "wave-module": {
        "why": "found by a loop from both ends",
        "edits": {
            "loud = np.flatnonzero(np.abs(samples) >= «threshold» / 100)": """is_loud = np.abs(samples) >= «threshold» / 100
loud = [int(is_loud.argmax()), len(is_loud) - 1 - int(is_loud[::-1].argmax())]""",
        },
    },
    "seconds-first": {
        "why": "the figure in a sentence of its own",
        "answer": "时长为 «seconds» 秒。文件保存在 ./output/trimmed.wav。",
    },
}
NEAR_MISSES = {
    "fade-at-the-start": {
        "why": "fades in at the start",
        "edits": {
            "kept[-fade:] *= np.linspace(1, 0, fade)": "kept[:fade] *= np.linspace(0, 1, fade)",
        },
    },
    "one-end-only": {
        "why": "cuts the beginning only",
        "edits": {
            "samples[loud[0]:loud[-1] + 1]": "samples[loud[0]:]",
        },
    },
    "milliseconds": {
        "why": "the length in another unit",
        "answer": "已保存为 ./output/trimmed.wav，时长为 «seconds» 分钟。",
    },
}
