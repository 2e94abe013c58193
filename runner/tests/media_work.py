"""Solutions of the media tasks that no task file holds: other honest ones, and near misses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Work:
    """A solution that is neither the reference nor one of the task's own wrong ones."""

    name: str
    task: str
    cell: str
    answer: str = "Saved."
    complaint: str = ""  # part of the verdict's sentence, of one that must fail


CROP = """
from PIL import Image, ImageOps
upright = ImageOps.exif_transpose(Image.open('data/photo.jpg'))
left = «left» + {by}
area = upright.crop((left, «top», left + «width», «top» + «height»))
area.save('output/upright.webp', quality=90)
"""
SHEET = """
from PIL import Image, ImageOps
sheet = Image.new('RGB', (648, 336), '«background»')
for i, n in enumerate([1, 2, 3, 10, 11, 20]):
    p = Image.open(f'data/shot{{n}}.png').convert('RGB')
    p = ImageOps.contain(p, (200, 150), Image.{filter})
    x, y = {gap} + i % 3 * 212, {gap} + i // 3 * 162
    sheet.paste(p, (x + (200 - p.width) // 2, y + (150 - p.height) // 2))
sheet.save('output/sheet.png')
"""
BLUR = """
import cv2
p = cv2.imread('data/street.png')
box = slice(«y», «y» + «height»), slice(«x», «x» + «width»)
p[box] = {blur}
cv2.imwrite('output/street_blurred.png', p)
"""
MOSAIC = (
    "cv2.resize(cv2.resize(p[box], None, fx=0.1, fy=0.1, interpolation=cv2.INTER_AREA),"
    " («width», «height»), interpolation=cv2.INTER_NEAREST)"
)
QR = """
import qrcode
from PIL import Image
square = qrcode.make('«link»').convert('RGB').resize((«side», «side»))
poster = Image.open('data/poster.png').convert('RGB')
poster.paste(square, (poster.width - «margin» - «side», poster.height - «margin» - «side»))
poster.save('output/poster_qr.png')
"""
GREY = "square = square.point(lambda level: level * 0.7)\nposter = "
REVERSE = """
from PIL import Image, ImageSequence
import numpy as np
frames, times = [], []
for frame in ImageSequence.Iterator(Image.open('data/lamp.gif')):
    frames.append(frame.convert('RGB'))
    times.append(frame.info['duration'])
best = int(np.argmax([np.mean(frame.convert('L')) for frame in frames]))
frames[best].save('output/brightest.png')
back = [frame.quantize(256) for frame in frames][::-1]
rest = dict(append_images=back[1:], duration=times[::-1]{loop})
back[0].save('output/reversed.gif', save_all=True, **rest)
print('best:', best + 1)
"""
FADE = """
import numpy as np, soundfile as sf
samples, rate = sf.read('data/recording.wav')
loud = np.flatnonzero(abs(samples) >= 0.01)
kept = samples[loud[0]:loud[-1] + 1].copy()
n = rate * «fade_ms» // 1000
kept[-n:] *= {curve}
sf.write('output/trimmed.wav', kept, rate, subtype='{subtype}')
print(f'seconds: {{len(kept) / rate:.2f}}')
"""
MIX = """
from pydub import AudioSegment
music = AudioSegment.from_mp3('data/music.mp3') - «music_db» {more}
voice = AudioSegment.from_wav('data/voice.wav').set_frame_rate(44100).set_channels(2)
start = int(«delay» * 1000)
mix = music[:start + len(voice) + int(«tail» * 1000)].overlay(voice, position=start)
mix.export('output/mix.wav', format='wav')
"""
SECONDS = "时长约为«seconds»秒。"

HONEST = [
    Work("webp at quality 90", "photo-upright", CROP.format(by=0)),
    Work("coarse resampling", "contact-sheet", SHEET.format(gap=12, filter="NEAREST")),
    Work(
        "blur that looks around",
        "blur-plate",
        BLUR.format(blur="cv2.GaussianBlur(p, (0, 0), 16)[box]"),
    ),
    Work("soft modules", "qr-poster", QR),
    Work(
        "another palette", "gif-reversed", REVERSE.format(loop=", loop=0"), "最亮的是第«best»帧。"
    ),
    Work(
        "fade by hand",
        "trim-silence",
        FADE.format(curve="1 - np.arange(n) / n", subtype="PCM_16"),
        SECONDS,
    ),
    Work("mixed in milliseconds", "mix-tracks", MIX.format(more="")),
]

NEAR_MISSES = [
    Work("one pixel off", "photo-upright", CROP.format(by=1), complaint="px to the right"),
    Work(
        "gap of 11",
        "contact-sheet",
        SHEET.format(gap=11, filter="LANCZOS"),
        complaint="place in the cell",
    ),
    Work("mosaic", "blur-plate", BLUR.format(blur=MOSAIC), complaint="detail inside"),
    Work("on grey", "qr-poster", QR.replace("poster = ", GREY, 1), complaint="black on white"),
    Work(
        "ends after a while",
        "gif-reversed",
        REVERSE.format(loop=", loop=3"),
        "最亮的是第«best»帧。",
        complaint="endless loop",
    ),
    Work(
        "square-root fade",
        "trim-silence",
        FADE.format(curve="np.sqrt(np.linspace(1, 0, n))", subtype="PCM_16"),
        SECONDS,
        complaint="of the fade",
    ),
    Work(
        "float samples",
        "trim-silence",
        FADE.format(curve="np.linspace(1, 0, n)", subtype="FLOAT"),
        SECONDS,
        complaint="sample format",
    ),
    Work("2 dB more", "mix-tracks", MIX.format(more="- 2"), complaint="change in dB"),
]
