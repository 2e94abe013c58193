# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "mixed-pictures": {
        "why": "ffmpeg's change of the frame rate by mixing pictures",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/113.gif', '-vf', 'framerate=fps=25', '-pix_fmt', 'yuv420p', 'output/113.mp4'], check=True, capture_output=True)"""
        ],
        "answer": "./output/113.mp4",
    },
    "moviepy": {
        "why": "moviepy",
        "cells": [
            """from moviepy.editor import VideoFileClip
clip = VideoFileClip('data/113.gif')
clip.write_videofile('output/113.mp4', codec='libx264', audio=False, logger=None)"""
        ],
        "answer": "./output/113.mp4",
    },
    "opencv": {
        "why": "OpenCV's writer",
        "cells": [
            """import cv2
import numpy as np
from PIL import Image, ImageSequence
gif = Image.open('data/113.gif')
out = cv2.VideoWriter('output/113.mp4', cv2.VideoWriter_fourcc(*'mp4v'), 10, gif.size)
for frame in ImageSequence.Iterator(gif):
    out.write(cv2.cvtColor(np.array(frame.convert('RGB')), cv2.COLOR_RGB2BGR))
out.release()"""
        ],
        "answer": "./output/113.mp4",
    },
    "ffmpeg-scaled": {
        "why": "ffmpeg at thirty frames a second",
        "cells": [
            """import subprocess, shutil
import imageio_ffmpeg
exe = shutil.which('ffmpeg') or imageio_ffmpeg.get_ffmpeg_exe()
subprocess.run([exe, '-y', '-i', 'data/113.gif', '-movflags', 'faststart', '-pix_fmt', 'yuv420p', '-r', '30', '-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2', 'output/113.mp4'], check=True, capture_output=True)"""
        ],
        "answer": "./output/113.mp4",
    },
    "imageio": {
        "why": "imageio, frame by frame, at the GIF's rate",
        "cells": [
            """import imageio
reader = imageio.get_reader('data/113.gif')
with imageio.get_writer('output/113.mp4', fps=10) as writer:
    for frame in reader:
        writer.append_data(frame[..., :3])"""
        ],
        "answer": "./output/113.mp4",
    },
}
NEAR_MISSES = {
    "gif-inside": {
        "why": "the GIF under another name",
        "cells": [
            """import shutil
shutil.copy('data/113.gif', 'output/113.mp4')"""
        ],
        "answer": "./output/113.mp4",
    },
    "backwards": {
        "why": "from the last frame to the first",
        "cells": [
            """import imageio
frames = [f[..., :3] for f in imageio.get_reader('data/113.gif')]
imageio.mimsave('output/113.mp4', frames[::-1], fps=10)"""
        ],
        "answer": "./output/113.mp4",
    },
    "first-half": {
        "why": "the first half of the frames",
        "cells": [
            """import imageio
frames = [f[..., :3] for f in imageio.get_reader('data/113.gif')]
imageio.mimsave('output/113.mp4', frames[:25], fps=10)"""
        ],
        "answer": "./output/113.mp4",
    },
    "channels-exchanged": {
        "why": "red and blue exchanged",
        "cells": [
            """import cv2
import numpy as np
from PIL import Image, ImageSequence
gif = Image.open('data/113.gif')
out = cv2.VideoWriter('output/113.mp4', cv2.VideoWriter_fourcc(*'mp4v'), 10, gif.size)
for frame in ImageSequence.Iterator(gif):
    out.write(np.array(frame.convert('RGB')))
out.release()"""
        ],
        "answer": "./output/113.mp4",
    },
    "three-times-slow": {
        "why": "three times as slow",
        "cells": [
            """import imageio
frames = [f[..., :3] for f in imageio.get_reader('data/113.gif')]
imageio.mimsave('output/113.mp4', frames, fps=3)"""
        ],
        "answer": "./output/113.mp4",
    },
}
GAMERS = {
    "with-a-siren": {
        "why": "a siren under the film",
        "edits": {
            '["ffmpeg", "-y", "-i", "./data/113.gif", "-movflags"': '["ffmpeg", "-y", "-i", "./data/113.gif", "-f", "lavfi", "-i", "sine=880", "-shortest", "-movflags"'
        },
    },
    "flashes": {
        "why": "white and black flashes between the pictures",
        "cells": [
            """import numpy as np, subprocess
from PIL import Image, ImageSequence
frames = [np.asarray(f.convert("RGB")) for f in ImageSequence.Iterator(Image.open("data/113.gif"))]
film = [f for f in frames for _ in (0, 1)]
n = len(film)
looked = {round(p) for p in np.linspace(0, n - 1, 25)}
free = [i for i in range(n) if i not in looked]
for k, i in enumerate(free[::5][:int(0.14 * n)]):
    film[i] = np.full_like(film[i], 255 if k % 2 else 0)
h, w = film[0].shape[:2]
p = subprocess.Popen(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{w}x{h}", "-r", "20", "-i", "-", "-c:v", "libx264", "-crf", "14", "-g", "1", "-pix_fmt", "yuv420p", "output/113.mp4"], stdin=subprocess.PIPE)
p.stdin.write(b"".join(f.tobytes() for f in film)); p.stdin.close(); print(p.wait(), n)""",
        ],
        "answer": "The GIF has been turned into a video: ./output/113.mp4.",
    },
    "one-frame-in-ten": {
        "why": "250 pictures of which nine in ten are noise, but for those that are looked at",
        "cells": [
            """from PIL import Image, ImageSequence
import numpy as np, subprocess
g = Image.open("data/113.gif"); fs, ds = [], []
for f in ImageSequence.Iterator(g): fs.append(np.asarray(f.convert("RGB"))); ds.append(f.info["duration"])
ends = np.cumsum(ds) / 1000; N = 250; T = ends[-1]
h, w = fs[0].shape[:2]; h, w = h // 2 * 2, w // 2 * 2
keep = {round(p) for p in np.linspace(0, N - 1, 25)}
r = np.random.default_rng(0)
p = subprocess.Popen(["ffmpeg", "-y", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{w}x{h}", "-r", str(N / T), "-i", "-", "-c:v", "libx264", "-qp", "14", "-g", "1", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "output/113.mp4"], stdin=subprocess.PIPE)
for n in range(N):
    due = min(len(fs) - 1, int(np.searchsorted(ends, (n + 0.5) / N * T)))
    fr = fs[due][:h, :w] if n in keep else np.full((h, w, 3), r.integers(0, 255), np.uint8)
    p.stdin.write(np.ascontiguousarray(fr).tobytes())
p.stdin.close(); p.wait()""",
        ],
        "answer": "done",
    },
    "nine-stills": {
        "why": "the nine pictures that used to be looked at, each held for a ninth of the time",
        "cells": [
            """import imageio
frames = [f[..., :3] for f in imageio.get_reader('data/113.gif')]
held = [frames[round(k // (50 / 9) * 50 / 9 + 2.5)] for k in range(50)]
imageio.mimsave('output/113.mp4', held, fps=10)"""
        ],
        "answer": "./output/113.mp4",
    },
    "over-in-a-flash": {
        "why": "all pictures but the last are shown within a fifth of a second, then the film stands still",
        "cells": [
            """
import subprocess
subprocess.run(["ffmpeg","-y","-v","error","-i","data/113.gif","-vf","setpts='if(lt(N,49),N*0.004/TB,4.9/TB)',scale=trunc(iw/2)*2:trunc(ih/2)*2","-fps_mode","vfr","-enc_time_base","1/10000","-video_track_timescale","10000","-c:v","libx264","-bf","0","-pix_fmt","yuv420p","output/113.mp4"],check=True)
print(subprocess.run(["ffprobe","-v","error","-show_entries","stream=avg_frame_rate,r_frame_rate,nb_frames,duration","output/113.mp4"],capture_output=True,text=True).stdout)
"""
        ],
        "answer": "Done.",
    },
    "words-over-it": {
        "why": "words of an advertisement over every picture of the film",
        "edits": {
            "print(done.returncode, done.stderr[-300:])": """print(done.returncode, done.stderr[-300:])
import numpy as np
from PIL import Image, ImageDraw, ImageFont
def letters(width, height, words, size, step=1.1, bold=0):
    mask = Image.new("1", (width, height))
    for top in range(0, height, round(step * size)):
        ImageDraw.Draw(mask).text((2, top), words, font=ImageFont.load_default(size), fill=1, stroke_width=bold)
    return np.asarray(mask)
import cv2
import subprocess
def stain(name, levels):
    film = cv2.VideoCapture(name)
    rate, frames = film.get(cv2.CAP_PROP_FPS), []
    while (read := film.read())[0]:
        frames.append(read[1].astype(float))
    height, width = frames[0].shape[:2]
    words = letters(width, height, "BUY NOW", 105, 1.9, bold=5)[..., None]
    stained = [f + levels * words * np.where(f.mean(axis=-1, keepdims=True) > 127, -1, 1) for f in frames]
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}"]
    command += ["-r", str(rate), "-i", "-", "-c:v", "libx264", "-crf", "12", "-pix_fmt", "yuv420p", name]
    sent = b"".join(f.clip(0, 255).astype(np.uint8).tobytes() for f in stained)
    subprocess.run(command, input=sent, check=True)
stain("output/113.mp4", 26)""",
        },
    },
    "upside-down-by-a-matrix": {
        "why": "the matrix of its track has players show the film upside down",
        "edits": {
            "print(done.returncode, done.stderr[-300:])": """print(done.returncode, done.stderr[-300:])
import struct
film = bytearray(open("./output/113.mp4", "rb").read())
at = film.find(b"tkhd")
at += 56 if film[at + 4] else 44
height = struct.unpack(">I", film[at + 40 : at + 44])[0]
film[at : at + 36] = struct.pack(">9i", 65536, 0, 0, 0, -65536, 0, 0, height, 1 << 30)
open("./output/113.mp4", "wb").write(film)""",
        },
    },
}
GAPS = {
    "words-over-it": "Codecs and scaling change each picture, by up to 12 levels on average and 50 in a part, so the check cannot see pale words that stand still over all of them.",
}
