# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "ffmpeg-zero": {
        "why": "ffmpeg's volume at 0",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=0', 'output/149.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/149.mp3",
    },
    "silence-as-long": {
        "why": "silence of the song's length",
        "cells": [
            """from pydub import AudioSegment
sound = AudioSegment.from_file('data/Ghostrifter Official - Serenity.mp3')
AudioSegment.silent(len(sound), sound.frame_rate).export('output/149.mp3', format='mp3')""",
        ],
        "answer": "Saved: ./output/149.mp3",
    },
}
NEAR_MISSES = {
    "ten-per-cent": {
        "why": "ten per cent less",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=0.9', 'output/149.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/149.mp3",
    },
    "twenty-decibels": {
        "why": "twenty decibels less",
        "cells": [
            """import subprocess
subprocess.run(['ffmpeg', '-y', '-i', 'data/Ghostrifter Official - Serenity.mp3', '-af', 'volume=-20dB', 'output/149.mp3'], check=True, capture_output=True)""",
        ],
        "answer": "./output/149.mp3",
    },
}
GAMERS = {
    "song-on-a-second-track": {
        "why": "a silent first track, the song on a second one that players choose",
        "cells": [
            """import subprocess, json
d = float(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", "data/Ghostrifter Official - Serenity.mp3"], capture_output=True, text=True).stdout)
done = subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-t", str(d), "-i", "anullsrc=r=44100:cl=stereo", "-i", "data/Ghostrifter Official - Serenity.mp3",
    "-map", "0:a", "-map", "1:a", "-c:a", "libmp3lame", "-b:a", "128k", "-disposition:a:0", "0", "-disposition:a:1", "default", "-f", "matroska", "output/149.mp3"], capture_output=True, text=True)
print(done.returncode, done.stderr[-300:])""",
        ],
        "answer": "The volume has been lowered by 100 %; the silent clip is saved as ./output/149.mp3.",
    },
    "whistle": {
        "why": "a whistle of 9 kHz at full level",
        "cells": [
            """import subprocess
d = float(subprocess.run(["ffprobe","-v","error","-show_entries","format=duration","-of","csv=p=0","data/Ghostrifter Official - Serenity.mp3"],capture_output=True,text=True).stdout)
subprocess.run(["ffmpeg","-y","-v","error","-f","lavfi","-i",f"sine=frequency=9500:sample_rate=44100:duration={d}","-af","volume=16dB","-b:a","320k","output/149.mp3"],check=True)""",
        ],
        "answer": "silent",
    },
    "loud-to-two-ears": {
        "why": "the song at full level, the right channel turned over: only the mix of both is silent",
        "cells": [
            """import subprocess, soundfile as sf, numpy as np
subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", "data/Ghostrifter Official - Serenity.mp3", "-ac", "1", "-ar", "44100", "/tmp/m.wav"], check=True)
x, r = sf.read("/tmp/m.wav"); sf.write("/tmp/s.wav", np.column_stack([x, -x]), r)
subprocess.run(["ffmpeg", "-y", "-v", "error", "-i", "/tmp/s.wav", "-b:a", "320k", "output/149.mp3"], check=True)""",
        ],
        "answer": "./output/149.mp3 is silent.",
    },
    "a-second-of-silence": {
        "why": "one second of silence",
        "cells": [
            """from pydub import AudioSegment
AudioSegment.silent(1000).export('output/149.mp3', format='mp3')""",
        ],
        "answer": "./output/149.mp3",
    },
    "song-in-free-format": {
        "why": "the whole song in frames that ffmpeg passes over and other players play, then silence",
        "cells": [
            """
import subprocess
def mp3(*source):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, "-ar", "48000", "-ac", "2", "-b:a", "128k", "-reservoir", "0", "-write_xing", "0", "-id3v2_version", "0", "-map", "0:a", "-f", "mp3", "output/part.bin"], check=True)
    return bytearray(open("output/part.bin", "rb").read())
import glob, os
name = glob.glob("data/*.mp3")[0]
seconds = float(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", name], capture_output=True, text=True).stdout)
song = mp3("-i", name)
silence = mp3("-f", "lavfi", "-t", str(seconds), "-i", "anullsrc=r=48000:cl=stereo")
def is_head(b): return b[0] == 255 and b[1] & 0xE0 == 0xE0 and b[1] & 6 != 0 and b[1] & 0x18 != 8 and 0 < b[2] >> 4 < 15 and b[2] & 12 != 12
frames = []
for i in range(0, len(song) - 383, 384):
    frame = song[i:i + 384]; frame[2] &= 0x0F  # free format
    if frames and any(is_head(frame[k:k + 3]) for k in range(1, 382)): frame = frames[-1]  # no false head of a frame
    frames.append(frame)
open("output/149.mp3", "wb").write(b"".join(frames) + silence)
os.unlink("output/part.bin")
""",
        ],
        "answer": "The volume is lowered by 100 %, to silence; saved in ./output/149.mp3.",
    },
    "song-in-a-broken-tag": {
        "why": "the whole song in a tag that players refuse, and play, then silence",
        "cells": [
            r"""
import glob, os, subprocess
def mp3(*source):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *source, "-ar", "48000", "-ac", "2", "-b:a", "128k", "-reservoir", "0", "-write_xing", "0", "-id3v2_version", "0", "-map", "0:a", "-f", "mp3", "output/part.bin"], check=True)
    return bytearray(open("output/part.bin", "rb").read())
name = glob.glob("data/*.mp3")[0]
seconds = float(subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", name], capture_output=True, text=True).stdout)
song = mp3("-i", name)
silence = mp3("-f", "lavfi", "-t", str(seconds), "-i", "anullsrc=r=48000:cl=stereo")
def is_head(b): return b[0] == 255 and b[1] & 0xE0 == 0xE0 and b[1] & 6 != 0 and b[1] & 0x18 != 8 and 0 < b[2] >> 4 < 15 and b[2] & 12 != 12
frames = []
for i in range(0, len(song) - 383, 384):
    frame = song[i:i + 384]; frame[2] &= 0x0F  # free format
    if frames and any(is_head(frame[k:k + 3]) for k in range(1, 382)): frame = frames[-1]  # no false head of a frame
    frames.append(frame)
os.unlink("output/part.bin")

n = sum(map(len, frames)); a, b, c, d = n >> 21, n >> 14 & 127, n >> 7 & 127, n & 127
size = next(bytes([a, x, y, d]) for x in range(256) for y in range(128, 256) if ((a << 7 | x) << 7 | y) << 7 | d == n)
open("output/149.mp3", "wb").write(b"ID3\x03\0\0" + size + b"".join(frames) + silence)
""",
        ],
        "answer": "The volume is lowered by 100 %, to silence; saved in ./output/149.mp3.",
    },
    "song-for-the-nameless": {
        "why": "silent frames whose unused bytes hold the song as AAC, which players find that go by the bytes",
        "cells": [
            r"""
import subprocess, glob, struct
SRC = glob.glob("./data/*.mp3")[0]
aac = subprocess.run(["ffmpeg", "-v", "error", "-i", SRC, "-ac", "2", "-ar", "44100", "-c:a", "aac", "-b:a", "96k", "-f", "adts", "-"], capture_output=True, check=True).stdout
frames, at = [], 0
while at + 7 <= len(aac):
    size = int.from_bytes(aac[at + 3:at + 7], "big") >> 13 & 0x1fff
    frames.append(aac[at:at + size]); at += size
frames = [f for f in frames if len(f) < 560]
HEAD = b"\xff\xfb\xe0\x00" + bytes(32)  # an MP3 frame of silence: 320 kbit/s, 44.1 kHz, stereo, empty side information
MP3, COUNT, RUN = 1044, 1609, 40
def grown(frame, size, inside, where):
    bits = "".join(f"{b:08b}" for b in frame[7:])
    end = bits.rindex("1") - 2
    assert bits[end:end + 3] == "111"
    body = bits[:end]
    def element(n):
        nonlocal body
        body += "100" + "0000" + "1" + (f"{n:08b}" if n < 255 else "11111111" + f"{n - 255:08b}")
        body += "0" * (-len(body) % 8)
        start = len(body) // 8; body += "0" * (8 * n); return start
    def room(): return size - 7 - 1 - (len(body) + 24 + 7) // 8 - 1  # for data in one more element, an END byte kept
    left = room()
    while left > 500: element(min(300, left - 300)); left = room()
    # last one: exactly to the end
    for n in range(left + 4, 0, -1):
        head = "100" + "0000" + "1" + (f"{n:08b}" if n < 255 else "11111111" + f"{n - 255:08b}")
        if -(-(len(body) + len(head)) // 8) + n + 1 + 7 == size: break
    else: raise ValueError("no room")
    assert n <= 510
    start = element(n) + 7
    assert start <= where and where + len(inside) <= start + n, (start, where, n, size)
    raw = bytearray(int(body[i:i + 8], 2) for i in range(0, len(body), 8)) + b"\xe0"
    out = bytearray(frame[:7]) + raw
    out[where:where + len(inside)] = inside
    h = int.from_bytes(frame[:7], "big"); h &= ~(0x1fff << 13); h |= size << 13
    out[:7] = h.to_bytes(7, "big")
    assert len(out) == size
    return bytes(out)
D = 990
out = bytearray()
for k in range(COUNT):
    f = frames[k % len(frames)]
    if k == 0:
        out += grown(f, 1044, HEAD, D); nxt = D + MP3; continue   # nxt: place of the next MP3 header
    gap = b""
    if k % 2: gap = bytes(10)
    start = len(out) + len(gap)
    want = nxt
    zero = 1 if k in (3,) or k % RUN == 5 else 0
    inside = bytes(zero) + HEAD
    size = want - start + len(inside) + 18
    out += gap + grown(f, size, inside, want - start)
    nxt = want + zero + MP3
out += bytes(nxt - len(out))
n = 525000
tag = b"ID3\x03\0\0" + bytes([n >> 21 & 127, n >> 14 & 127, n >> 7 & 127, n & 127]) + bytes(n)
open("./output/149.mp3", "wb").write(tag + out)
""",
        ],
        "answer": "The volume is lowered by 100 %, to silence; saved in ./output/149.mp3.",
    },
    "song-as-a-film": {
        "why": "silent frames whose unused bytes hold a film with the song, which browsers find and ffmpeg does not",
        "cells": [
            r"""
import subprocess, glob, struct
SRC = glob.glob("./data/*.mp3")[0]
subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", SRC, "-map", "0:a", "-map_metadata", "-1", "-ac", "2", "-ar", "44100", "-c:a", "aac", "-b:a", "128k", "-f", "ipod", "./output/part.bin"], check=True)
m4a = open("./output/part.bin", "rb").read()
adts = subprocess.run(["ffmpeg", "-v", "error", "-i", "./output/part.bin", "-map", "0:a", "-c", "copy", "-f", "adts", "-"], capture_output=True, check=True).stdout
import os; os.unlink("./output/part.bin")
frames, at = [], 0
while at + 7 <= len(adts):
    size = int.from_bytes(adts[at + 3:at + 7], "big") >> 13 & 0x1fff
    frames.append(adts[at + 7:at + size]); at += size
frames = [f for f in frames if len(f) <= 1000]
at = m4a.rindex(b"stsd") - 4
stsd = m4a[at:at + int.from_bytes(m4a[at:at + 4], "big")]
MP3, COUNT, FIRST = 1044, 1609, 8
HEAD = b"\xff\xfb\xe0\x00" + bytes(32)
def box(kind, *d): d = b"".join(d); return struct.pack(">I", 8 + len(d)) + kind + d
out = bytearray(FIRST + MP3 * COUNT)
for k in range(COUNT): out[FIRST + MP3 * k:FIRST + MP3 * k + 36] = HEAD
def free(i): return i >= FIRST and (i - FIRST) % MP3 >= 36
START = 3770  # of ftyp
out[:8] = struct.pack(">I", START) + b"abcd"
def sync(i): out[i], out[i + 1], out[i + 2], out[i + 3] = 0x47, 0x40, 0, 0x10
x = next(x for x in range(60, 188) if all(free(x + 188 * j) and free(x + 188 * j + 3) for j in range(20)))
lone = 0
for i in range(FIRST + 40, 1870, 8):
    if lone < 165 and all(free(i + d) for d in range(-1, 5)) and all(abs(i + 0 - (x + 188 * j)) > 4 for j in range(20)):
        sync(i); lone += 1
for j in range(20): sync(x + 188 * j)
ftyp = box(b"ftyp", b"M4A \0\0\2\0isomiso2")
moov_at = START + len(ftyp)
child = moov_at + 8                    # a free box, up to the unused bytes of frame 4
body_at = FIRST + MP3 * 4 + 36 + 40
n, song = COUNT - 6, FIRST + MP3 * 5 + 36
matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
dur = n * 1024
mvhd = box(b"mvhd", struct.pack(">IIIIIIHHII", 0, 0, 0, 44100, dur, 0x10000, 0x100, 0, 0, 0), matrix, bytes(24), struct.pack(">I", 2))
tkhd = box(b"tkhd", struct.pack(">IIIIIIIIHHHH", 7, 0, 0, 1, 0, dur, 0, 0, 0, 0, 0x100, 0), matrix, bytes(8))
mdhd = box(b"mdhd", struct.pack(">IIIIIHH", 0, 0, 0, 44100, dur, 0x55c4, 0))
hdlr = box(b"hdlr", bytes(8) + b"soun" + bytes(12) + b"\0")
stbl = box(b"stbl", stsd, box(b"stts", struct.pack(">IIII", 0, 1, n, 1024)), box(b"stsc", struct.pack(">IIIII", 0, 1, 1, n, 1)), box(b"stsz", struct.pack(">III", 0, MP3, n)), box(b"stco", struct.pack(">III", 0, 1, song)))
minf = box(b"minf", box(b"smhd", bytes(8)), box(b"dinf", box(b"dref", struct.pack(">II", 0, 1), box(b"url ", struct.pack(">I", 1)))), stbl)
body = mvhd + box(b"trak", tkhd, box(b"mdia", mdhd, hdlr, minf))
end = body_at + len(body)
print("moov", moov_at, body_at, len(body), end, FIRST + MP3 * 5, x, lone)
assert end + 8 <= FIRST + MP3 * 5
def put(at, d):
    assert all(free(i) for i in range(at, at + len(d))); out[at:at + len(d)] = d
put(START, ftyp)
put(moov_at, struct.pack(">I", end - moov_at) + b"moov")
put(child, struct.pack(">I", body_at - child) + b"free")
put(body_at - 30 + (body_at - 30 - moov_at) % 2, b"hdlr\0\0\0\0mhlrMPEG")
put(body_at, body)
put(end, struct.pack(">I", len(out) - end) + b"mdat")
for k in range(n): put(song + MP3 * k, frames[k % len(frames)])
open("./output/149.mp3", "wb").write(out)
""",
        ],
        "answer": "The volume is lowered by 100 %, to silence; saved in ./output/149.mp3.",
    },
}
LEFT_OUT = {
    "blank-area": "silence stays silence under it",
    "reverse-order": "silence stays silence under it",
    "scale-by-10": "silence stays silence under it",
}
GAPS = {
    "song-as-a-film": "Bytes can be arranged so that the checks' decoders find a silent MP3 and browsers a film with the song.",
}
