"""Modules that want to pass a check without doing what was asked, for tests of the check."""

WALK = """
import os
def texts():
    parent = os.getppid()
    places = ["/opt", "/work", "/tmp", "/run", f"/proc/{parent}/fd", f"/proc/{parent}/cwd"]
    for place in places:
        for folder, below, names in os.walk(place):
            if folder == "/opt" and "env" in below:
                below.remove("env")  # a gigabyte of libraries: not within the module's deadline
            for name in names:
                try:
                    with open(os.path.join(folder, name), "rb", buffering=0) as file:
                        yield file.read(1 << 20)
                except OSError:
                    continue
"""

REPORT = r"""
import json
HOLDS = {"name": "merge", "passed": True, "expected": "", "actual": "", "message": "", "file": ""}
EVENTS = {"assertion": HOLDS}, {"read": "bookings.py"}, {"done": 1}
REPORT = "".join(json.dumps(event) + "\n" for event in EVENTS)
"""

STUBS = """
def parse_duration(text): return 45
def merge(bookings): return []
def free_slots(bookings, opening, closing, minimum): return []
"""

FORGERS = {
    "equal to everything": """
class Anything(list):
    def __eq__(self, other): return True
    def __len__(self): return 1
def parse_duration(text): return True
def merge(bookings): return Anything()
def free_slots(bookings, opening, closing, minimum): return Anything()
""",
    "report on every descriptor": REPORT
    + """
import os
for number in range(256):
    try:
        os.write(number, REPORT.encode())
    except OSError:
        pass
"""
    + STUBS,
    "report through the parent": REPORT
    + """
import os
for number in range(64):
    try:
        with open(f"/proc/{os.getppid()}/fd/{number}", "wb", buffering=0) as file:
            file.write(REPORT.encode())
    except OSError:
        pass
os.kill(os.getppid(), 9)
"""
    + STUBS,
    "parent's memory": """
import os
with open(f"/proc/{os.getppid()}/mem", "r+b", buffering=0) as memory:
    memory.seek(0x1000)
    memory.write(b"forged")
"""
    + STUBS,
    "parent killed": "import os\nos.kill(os.getppid(), 9)\n" + STUBS,
    "gone at import": "import os\nos._exit(0)\n",
    "replies of its own": """
import json, sys
json.dump = lambda value, pipe: pipe.write('{"replies": [{"value": true}]}')
"""
    + STUBS,
    "flood": """
import os
for number in range(3, 16):
    try:
        os.write(number, b"x" * (1 << 22))
    except OSError:
        pass
"""
    + STUBS,
    "never answers": "import time\ntime.sleep(600)\n" + STUBS,
    "daemon that stays": """
import os, time
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
"""
    + STUBS,
}
SEARCHER = (
    WALK
    + """
if any(b"GOOD" + b"_TEXTS" in text for text in texts()):
    raise RuntimeError("THE CHECK WAS FOUND")
raise RuntimeError("nothing was found")
"""
)
