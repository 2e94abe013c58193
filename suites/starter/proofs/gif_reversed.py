# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "index-beside": {
        "why": "gives the index from nought as well",
        "edits": {
            "print('brightest_frame:', best + 1)": "print('brightest_frame:', best + 1)\nprint('index:', best)"
        },
        "answer": "最亮的是第 «brightest_frame» 帧（从 0 开始的索引为 «index»）。",
    },
    "list-of-slices": {
        "why": "frames by index instead of slices",
        "edits": {
            "back, times = frames[::-1], durations[::-1]": """order = range(len(frames) - 1, -1, -1)
back, times = [frames[n] for n in order], [durations[n] for n in order]""",
        },
    },
    "in-english": {
        "why": "answers in English",
        "answer": "The reversed animation is ./output/reversed.gif. The brightest frame of the original is number «brightest_frame», saved as ./output/brightest.png.",
    },
}
NEAR_MISSES = {
    "times-not-reversed": {
        "why": "the pauses stay in their old order",
        "edits": {
            "durations[::-1]": "durations",
        },
    },
    "number-from-nought": {
        "why": "counts frames from nought",
        "edits": {
            "print('brightest_frame:', best + 1)": "print('brightest_frame:', best)",
        },
    },
    "darkest": {
        "why": "the darkest frame",
        "edits": {
            "np.argmax(light)": "np.argmin(light)",
        },
    },
}
