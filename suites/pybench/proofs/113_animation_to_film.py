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
