# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The mel spectrogram of a song as a picture."""

from itertools import pairwise

from runner.checks import Case
from runner.checks.charts import figures
from runner.checks.media import audio, sound_comparison

INDEX = "145"
TITLE = "A song's mel spectrogram"
CATEGORY = "image"
OUTPUTS = ["145.png"]
NOTE = "The query's word for the scale is read as “mel”. The drawn plot must show where the song is loud over time and pitch: its brightness is compared, coarsely, with a spectrogram of the check's own, in decibels or in power, the low pitches at the end of the axis that is named for them."
LEAST_LINEAR = 0.75  # likeness from which a picture may be called a linear spectrogram
GAPS = [(9.0, 11.0), (25.0, 28.0)]
BANDS, STEPS = 24, 48
TOPS_HZ = (5512, 8000, 11025, 16000, 22050)  # at which axes of pitch may end


def make_inputs(seed, data) -> dict:
    """A made-up tune of forty-two seconds."""
    from runner.checks.inputs import media

    media.write_mp3(
        data / "Ghostrifter Official - Serenity.mp3",
        sound_comparison.make_tune(seed, 42, GAPS),
        44_100,
    )
    return {}


def mel_levels(sound):
    """Levels in decibels of a song, low pitch first: bands × steps."""
    import cv2
    import numpy as np

    size = 1024
    window = np.hanning(size)
    frames = np.lib.stride_tricks.sliding_window_view(sound.samples, size)[:: size // 2]
    power = np.abs(np.fft.rfft(frames * window)) ** 2
    hz = np.fft.rfftfreq(size, 1 / sound_comparison.RATE)
    mel = 2595 * np.log10(1 + hz / 700)
    edges = np.linspace(mel[1], mel[-1], 49)
    bands = [
        power[:, (mel >= a) & (mel <= b)].mean(axis=1)
        if ((mel >= a) & (mel <= b)).any()
        else power[:, np.argmin(np.abs(mel - a))]
        for a, b in zip(edges, edges[1:], strict=False)
    ]
    levels = 10 * np.log10(np.array(bands) + 1e-10)
    return cv2.resize(
        np.maximum(levels, levels.max() - 80).astype(np.float32),
        (STEPS, BANDS),
        interpolation=cv2.INTER_AREA,
    )


def levels_by_scale(path) -> dict[str, list]:
    """Levels of a song up to each of TOPS_HZ, high pitch first, on mel scales and on a linear one."""
    import numpy as np

    sound = audio.load(path)
    samples, size = sound.samples.mean(axis=1), 4096
    frames = np.lib.stride_tricks.sliding_window_view(samples, size)[:: size // 2]
    parts = [frames[n : n + 256] * np.hanning(size) for n in range(0, len(frames), 256)]
    power = np.concatenate([np.abs(np.fft.rfft(part)) ** 2 for part in parts]).T
    hz = np.fft.rfftfreq(size, 1 / sound.rate)
    slaney = np.where(
        hz < 1000, hz / (200 / 3), 15 + 27 * np.log(np.maximum(hz, 1) / 1000) / 1.8562979903656263
    )
    scales = {"mel": [2595 * np.log10(1 + hz / 700), slaney], "linear": [hz]}
    return {
        name: [
            banded(power, scale, np.interp(top, hz, scale)) for scale in kinds for top in TOPS_HZ
        ]
        for name, kinds in scales.items()
    }


def banded(power, scale, top: float):
    """Decibels of the power in 48 equal steps of a scale, made small, high pitch first."""
    import cv2
    import numpy as np

    edges = np.linspace(0, top, 49)
    firsts = np.searchsorted(scale, edges)
    rows = [power[min(a, len(power) - 1) : max(a + 1, b)].mean(axis=0) for a, b in pairwise(firsts)]
    levels = 10 * np.log10(np.array(rows) + 1e-10)
    levels = np.maximum(levels, levels.max() - 80).astype(np.float32)
    return cv2.resize(levels, (STEPS, BANDS), interpolation=cv2.INTER_AREA)[::-1]


def plotted(figure) -> list:
    """The brightness of what may be the drawn plot, top row first, as small pictures."""
    import cv2

    def small(area):
        grey = cv2.cvtColor(area, cv2.COLOR_RGB2GRAY).astype("float32")
        return cv2.resize(grey, (STEPS, BANDS), interpolation=cv2.INTER_AREA)

    panels = [a for a in figure.panels if a.grids and len(a.box) == 4]
    height, width = figure.pixels.shape[:2]
    area = figure.pixels
    if panels:
        left, bottom, wide, high = max(panels, key=lambda a: a.box[2] * a.box[3]).box
        area = area[
            round((1 - bottom - high) * height) : round((1 - bottom) * height),
            round(left * width) : round((left + wide) * width),
        ]
    return [small(area), *map(small, filled_areas(figure.pixels))]


def filled_areas(pixels) -> list:
    """The widest stretch of columns, and its rows, that are filled: the plot in its frame."""
    import numpy as np

    is_filled = pixels.min(axis=2) < 235
    found = []
    for least in (0.4, 0.6):
        spans = []
        for axis in (0, 1):
            full = np.concatenate([[False], is_filled.mean(axis=axis) >= least, [False]])
            edges = np.flatnonzero(np.diff(full.astype(int)))
            pairs = list(zip(edges[::2], edges[1::2], strict=True))
            spans.append(max(pairs, key=lambda pair: pair[1] - pair[0], default=(0, 0)))
        (left, right), (top, bottom) = spans
        if right - left >= 100 and bottom - top >= 60:
            found.append(np.ascontiguousarray(pixels[top + 2 : bottom - 2, left + 2 : right - 2]))
    return found


def likeness(shown, ways) -> float:
    """The best correlation of brightness and loudness, dark being loud or quiet."""
    import numpy as np

    pairs = [(area, one) for area in shown for one in ways if area.std() > 1]
    return max(abs(float(np.corrcoef(a.ravel(), one.ravel())[0, 1])) for a, one in pairs)


def is_turned(figure) -> bool:
    """True if the plot's own axis runs downward, the low pitches at its top."""
    panels = [a for a in figure.panels if a.grids and len(a.box) == 4]
    return any(axes.y.low > axes.y.high for axes in panels)


def check(case: Case) -> None:
    import numpy as np

    levels = mel_levels(sound_comparison.load(case.data / "Ghostrifter Official - Serenity.mp3"))[
        ::-1
    ]
    figure = figures.read(case, "145.png")
    high, wide = figure.pixels.shape[:2]
    case.demand(
        "large enough",
        wide >= 200 and high >= 120,
        "200 × 120 or more",
        f"{wide} × {high}",
        "145.png",
        f"145.png has {wide} × {high} pixels: nothing can be read in it.",
    )
    shown = plotted(figure)
    case.demand(
        "a plot of two directions",
        max(one.std() for one in shown) > 3,
        "a spectrogram",
        f"brightness varies by {shown[0].std():.1f}",
        "145.png",
        "145.png holds no spectrogram.",
    )
    stretched = [levels, np.repeat(levels[BANDS // 3 :], 2, axis=0)[:BANDS]]
    turned = [one[::-1] for one in stretched]
    if is_turned(figure):
        stretched, turned = turned, stretched
    found = likeness(shown, stretched)
    case.expect(
        "it is this song's",
        found >= 0.45,
        "a likeness of 0.45 or more",
        round(found, 2),
        "145.png",
        f"145.png is not like the song's mel spectrogram (likeness {found:.2f}).",
    )
    upside_down = likeness(shown, turned)
    case.expect(
        "low pitches where the axis has them",
        found >= upside_down + 0.02,
        "more like the song than upside down",
        f"a likeness of {found:.2f}, and of {upside_down:.2f} upside down",
        "145.png",
        "145.png is as much like the song's spectrogram upside down.",
    )
    by_scale = levels_by_scale(case.data / "Ghostrifter Official - Serenity.mp3")
    if is_turned(figure):
        by_scale = {name: [one[::-1] for one in ways] for name, ways in by_scale.items()}
    mel, linear = likeness(shown, by_scale["mel"]), likeness(shown, by_scale["linear"])
    case.expect(
        "on a mel scale",
        linear < max(LEAST_LINEAR, mel + 0.04),
        "more like a mel spectrogram than like one with a linear axis",
        f"a likeness of {mel:.2f}, and of {linear:.2f} to a linear one",
        "145.png",
        "145.png is a spectrogram with a linear axis of pitch, not on the mel scale.",
    )


REFERENCE = {
    "cells": [
        "import librosa\nimport numpy as np\ny, rate = librosa.load('data/Ghostrifter Official - Serenity.mp3', sr=22050)\nprint(len(y) / rate)\nmel = librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=rate, n_mels=96), ref=np.max)\nprint(mel.shape)",
        """
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(11, 5))
image = ax.imshow(mel, origin="lower", aspect="auto", cmap="magma", extent=[0, len(y) / rate, 0, 96])
fig.colorbar(image, ax=ax, label="dB")
ax.set_title("Mel spectrogram")
ax.set_xlabel("Time (s)")
ax.set_ylabel("Mel band")
fig.savefig("output/145.png")
""",
    ],
    "answer": "The mel spectrogram is saved in ./output/145.png.",
}
WRONG = {
    "waveform": {
        "why": "draws the waveform",
        "cells": [
            "import soundfile as sf, matplotlib.pyplot as plt\nx, r = sf.read('data/Ghostrifter Official - Serenity.mp3')\nplt.plot(x[::200, 0])\nplt.savefig('output/145.png')"
        ],
        "answer": "Saved in ./output/145.png.",
    },
    "upside-down-in-time": {
        "why": "draws the spectrogram with its time running backwards",
        "cells": [
            "import librosa, numpy as np, matplotlib.pyplot as plt\ny, r = librosa.load('data/Ghostrifter Official - Serenity.mp3', sr=22050)\nm = librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=r), ref=np.max)\nplt.imshow(m[:, ::-1], origin='lower', aspect='auto')\nplt.savefig('output/145.png')"
        ],
        "answer": "Saved in ./output/145.png.",
    },
    "mean-spectrum": {
        "why": "draws one mean spectrum and no time",
        "cells": [
            "import numpy as np, soundfile as sf, matplotlib.pyplot as plt\nx, r = sf.read('data/Ghostrifter Official - Serenity.mp3')\nplt.plot(np.abs(np.fft.rfft(x[:, 0]))[:20000])\nplt.savefig('output/145.png')"
        ],
        "answer": "Saved in ./output/145.png.",
    },
}
