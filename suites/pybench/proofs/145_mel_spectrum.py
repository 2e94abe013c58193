# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "specshow": {
        "why": "librosa's own display, in Hz",
        "cells": [
            """import librosa, librosa.display
import numpy as np
import matplotlib.pyplot as plt
y, rate = librosa.load('data/Ghostrifter Official - Serenity.mp3')
mel = librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=rate), ref=np.max)
fig, ax = plt.subplots(figsize=(10, 4))
image = librosa.display.specshow(mel, sr=rate, x_axis='time', y_axis='mel', ax=ax)
fig.colorbar(image, format='%+2.0f dB')
ax.set(title='Mel spectrogram')
fig.savefig('output/145.png')""",
        ],
        "answer": "The spectrogram is in ./output/145.png.",
    },
    "grey-by-pillow": {
        "why": "grey levels written by Pillow, without axes",
        "cells": [
            """import librosa
import numpy as np
from PIL import Image
y, rate = librosa.load('data/Ghostrifter Official - Serenity.mp3')
mel = librosa.power_to_db(librosa.feature.melspectrogram(y=y, sr=rate, n_mels=128), ref=np.max, top_db=80)
grey = ((mel[::-1] - mel.min()) / (mel.max() - mel.min()) * 255).astype(np.uint8)
Image.fromarray(grey).resize((900, 300)).save('output/145.png')""",
        ],
        "answer": "Saved: ./output/145.png",
    },
}
NEAR_MISSES = {
    "linear-stft": {
        "why": "linear-frequency spectrogram, not mel",
        "cells": [
            """import librosa,librosa.display,numpy as np,matplotlib;matplotlib.use('Agg')
import matplotlib.pyplot as plt
y,sr=librosa.load('data/Ghostrifter Official - Serenity.mp3',sr=None);plt.figure(figsize=(12,5));librosa.display.specshow(librosa.amplitude_to_db(np.abs(librosa.stft(y)),ref=np.max),sr=sr,x_axis='time',y_axis='linear');plt.colorbar();plt.title('Mel spectrum');plt.savefig('output/145.png')""",
        ],
        "answer": "Done.",
    },
    "waveform": {
        "why": "draws the wave",
        "cells": [
            """import librosa
import matplotlib.pyplot as plt
y, rate = librosa.load('data/Ghostrifter Official - Serenity.mp3')
plt.plot(y)
plt.savefig('output/145.png')""",
        ],
        "answer": "./output/145.png",
    },
    "time-reversed": {
        "why": "lets time run backwards",
        "edits": {
            "image = ax.imshow(mel,": "image = ax.imshow(mel[:, ::-1],",
        },
    },
    "upside-down": {
        "why": "the low pitches at the top of an axis that runs upward",
        "cells": [
            """import librosa,numpy as np,matplotlib.pyplot as plt
y,sr=librosa.load('data/Ghostrifter Official - Serenity.mp3')
m=librosa.power_to_db(librosa.feature.melspectrogram(y=y,sr=sr),ref=np.max)
plt.figure(figsize=(14,5));plt.imshow(m,aspect='auto',origin='upper',extent=[0,len(y)/sr,0,sr/2]);plt.ylabel('Hz');plt.colorbar();plt.savefig('output/145.png')"""
        ],
        "answer": "Done.",
    },
    "loudness-only": {
        "why": "loudness over time alone, drawn over the height of the plot",
        "cells": [
            """import librosa,librosa.display,numpy as np,matplotlib.pyplot as plt
y,sr=librosa.load('data/Ghostrifter Official - Serenity.mp3')
r=librosa.feature.rms(y=y)[0];plt.figure(figsize=(12,5));plt.imshow(np.repeat(20*np.log10(r+1e-6)[None],128,0),aspect='auto',origin='lower');plt.savefig('output/145.png')"""
        ],
        "answer": "Done.",
    },
}
