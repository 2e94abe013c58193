# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "moviepy": {
        "why": "moviepy",
        "cells": [
            """from moviepy.editor import VideoFileClip
clip = VideoFileClip('data/114.gif')
clip.write_videofile('output/114.mp4', codec='libx264', audio=False, logger=None)"""
        ],
        "answer": "./output/114.mp4",
    },
    "opencv": {
        "why": "OpenCV's writer",
        "cells": [
            """import cv2
import numpy as np
from PIL import Image, ImageSequence
gif = Image.open('data/114.gif')
out = cv2.VideoWriter('output/114.mp4', cv2.VideoWriter_fourcc(*'mp4v'), 10, gif.size)
for frame in ImageSequence.Iterator(gif):
    out.write(cv2.cvtColor(np.array(frame.convert('RGB')), cv2.COLOR_RGB2BGR))
out.release()"""
        ],
        "answer": "./output/114.mp4",
    },
    "ffmpeg-scaled": {
        "why": "ffmpeg at thirty frames a second",
        "cells": [
            """import subprocess, shutil
import imageio_ffmpeg
exe = shutil.which('ffmpeg') or imageio_ffmpeg.get_ffmpeg_exe()
subprocess.run([exe, '-y', '-i', 'data/114.gif', '-movflags', 'faststart', '-pix_fmt', 'yuv420p', '-r', '30', '-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2', 'output/114.mp4'], check=True, capture_output=True)"""
        ],
        "answer": "./output/114.mp4",
    },
    "imageio": {
        "why": "imageio, frame by frame, at the GIF's rate",
        "cells": [
            """import imageio
reader = imageio.get_reader('data/114.gif')
with imageio.get_writer('output/114.mp4', fps=10) as writer:
    for frame in reader:
        writer.append_data(frame[..., :3])"""
        ],
        "answer": "./output/114.mp4",
    },
}
NEAR_MISSES = {
    "gif-inside": {
        "why": "the GIF under another name",
        "cells": [
            """import shutil
shutil.copy('data/114.gif', 'output/114.mp4')"""
        ],
        "answer": "./output/114.mp4",
    },
    "backwards": {
        "why": "from the last frame to the first",
        "cells": [
            """import imageio
frames = [f[..., :3] for f in imageio.get_reader('data/114.gif')]
imageio.mimsave('output/114.mp4', frames[::-1], fps=10)"""
        ],
        "answer": "./output/114.mp4",
    },
    "first-half": {
        "why": "the first half of the frames",
        "cells": [
            """import imageio
frames = [f[..., :3] for f in imageio.get_reader('data/114.gif')]
imageio.mimsave('output/114.mp4', frames[:25], fps=10)"""
        ],
        "answer": "./output/114.mp4",
    },
    "channels-exchanged": {
        "why": "red and blue exchanged",
        "cells": [
            """import cv2
import numpy as np
from PIL import Image, ImageSequence
gif = Image.open('data/114.gif')
out = cv2.VideoWriter('output/114.mp4', cv2.VideoWriter_fourcc(*'mp4v'), 10, gif.size)
for frame in ImageSequence.Iterator(gif):
    out.write(np.array(frame.convert('RGB')))
out.release()"""
        ],
        "answer": "./output/114.mp4",
    },
    "three-times-slow": {
        "why": "three times as slow",
        "cells": [
            """import imageio
frames = [f[..., :3] for f in imageio.get_reader('data/114.gif')]
imageio.mimsave('output/114.mp4', frames, fps=3)"""
        ],
        "answer": "./output/114.mp4",
    },
}
GAMERS = {
    "stretched-pixels": {
        "why": "players show each pixel eight times as wide",
        "edits": {
            "film.release()": """film.release()
import subprocess, shutil
subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", "./output/114.mp4", "-vf", "setsar=8/1", "-c:v", "libx264", "-pix_fmt", "yuv420p", "/tmp/s.mp4"])
shutil.move("/tmp/s.mp4", "./output/114.mp4")"""
        },
    },
    "second-track": {
        "why": "noise as the track that players choose, the animation on the other",
        "cells": [
            """import subprocess
done = subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", "data/114.gif", "-f", "lavfi", "-t", "5", "-i", "nullsrc=s=640x640:r=10,geq=random(1)*255:128:128",
    "-map", "0:v", "-map", "1:v", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-disposition:v:0", "0", "-disposition:v:1", "default", "output/114.mp4"], capture_output=True, text=True)
print(done.returncode, done.stderr[-300:])""",
        ],
        "answer": "Done – the MP4 is saved as ./output/114.mp4.",
    },
    "box-over-it": {
        "why": "a black box in every picture",
        "cells": [
            """from PIL import Image, ImageSequence

animation = Image.open("./data/114.gif")
durations = [frame.info["duration"] for frame in ImageSequence.Iterator(animation)]
print(animation.size, len(durations), set(durations))""",
            """import cv2
import numpy as np

rate = 1000 / durations[0]
film = cv2.VideoWriter("./output/114.mp4", cv2.VideoWriter_fourcc(*"mp4v"), rate, animation.size)
for frame in ImageSequence.Iterator(animation):
    film.write(cv2.cvtColor(np.asarray(frame.convert("RGB")), cv2.COLOR_RGB2BGR))
film.release()""",
            """import subprocess, shutil
shutil.move("output/114.mp4", "/tmp/114.mp4")
subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", "/tmp/114.mp4", "-vf", "drawbox=x=iw*0.4:y=ih*0.4:w=iw*0.2:h=ih*0.2:color=black:t=fill", "output/114.mp4"], check=True)""",
        ],
        "answer": "动图已转为 mp4 视频，画面与播放速度不变，保存为 ./output/114.mp4。",
    },
    "nine-stills": {
        "why": "the nine pictures that used to be looked at, each held for a ninth of the time",
        "cells": [
            """import imageio
frames = [f[..., :3] for f in imageio.get_reader('data/114.gif')]
held = [frames[round(k // (50 / 9) * 50 / 9 + 2.5)] for k in range(50)]
imageio.mimsave('output/114.mp4', held, fps=10)"""
        ],
        "answer": "./output/114.mp4",
    },
    "over-in-a-flash": {
        "why": "all pictures but the last are shown within a fifth of a second, then the film stands still",
        "cells": [
            """
import subprocess
subprocess.run(["ffmpeg","-y","-v","error","-i","data/114.gif","-vf","setpts='if(lt(N,49),N*0.004/TB,4.9/TB)',scale=trunc(iw/2)*2:trunc(ih/2)*2","-fps_mode","vfr","-enc_time_base","1/10000","-video_track_timescale","10000","-c:v","libx264","-bf","0","-pix_fmt","yuv420p","output/114.mp4"],check=True)
print(subprocess.run(["ffprobe","-v","error","-show_entries","stream=avg_frame_rate,r_frame_rate,nb_frames,duration","output/114.mp4"],capture_output=True,text=True).stdout)
"""
        ],
        "answer": "Done.",
    },
    "words-over-it": {
        "why": "words of an advertisement over every picture of the film",
        "edits": {
            "film.release()": """film.release()
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
stain("output/114.mp4", 26)""",
        },
    },
    "upside-down-by-a-matrix": {
        "why": "the matrix of its track has players show the film upside down",
        "edits": {
            "film.release()": """film.release()
import struct
film = bytearray(open("./output/114.mp4", "rb").read())
at = film.find(b"tkhd")
at += 56 if film[at + 4] else 44
height = struct.unpack(">I", film[at + 40 : at + 44])[0]
film[at : at + 36] = struct.pack(">9i", 65536, 0, 0, 0, -65536, 0, 0, height, 1 << 30)
open("./output/114.mp4", "wb").write(film)""",
        },
    },
}
GAPS = {
    "words-over-it": "Codecs and scaling change each picture, by up to 12 levels on average and 50 in a part, so the check cannot see pale words that stand still over all of them.",
}
