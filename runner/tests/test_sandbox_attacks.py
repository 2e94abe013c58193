"""The promise, line by line: each row says what hostile code tries, and what must come of it."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from runner.contract import CellResult, CellStatus, Harvest, Limits, OutputKind
from runner.sandbox.base import Sandbox
from runner.sandbox.factory import open_sandbox

pytestmark = pytest.mark.sandbox

MIB = 1 << 20
SMALL = Limits(
    memory_bytes=512 * MIB,
    work_bytes=24 * MIB,
    work_files=300,
    file_size_bytes=16 * MIB,
    processes=40,
)
SECRET = "canary-4d1f"  # in our environment and in a file of ours: must never be seen inside
OK, ERROR, TIMEOUT, KILLED = (
    CellStatus.OK,
    CellStatus.ERROR,
    CellStatus.TIMEOUT,
    CellStatus.KILLED,
)


@dataclass(frozen=True)
class Attack:
    """`code` runs with {port}, {abstract} and {canary} filled in."""

    name: str
    tried: str
    code: str
    shows: str  # a pattern that its outputs must hold
    ends: tuple[CellStatus, ...] = (OK,)
    reason: str = ""
    timeout_s: float = 20.0
    files: tuple[str, ...] = ()  # exactly what a harvest afterwards holds
    refused: dict[str, str] = field(default_factory=dict)  # {path as shown: part of the reason}


SHOW_ERROR = """
def attempt(f, *a, **k):
    try:
        print("SUCCEEDED", f(*a, **k))
    except BaseException as e:
        print(type(e).__name__, getattr(e, "errno", None), e)
"""

SYSCALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(name, number, *args):
    result = libc.syscall(number, *args)
    print(name, "SUCCEEDED" if result >= 0 else ctypes.get_errno())
"""

RAW_MESSAGE = """
import json, os, zmq
k = get_ipython().kernel
def send_raw(kind, content_bytes):
    header = k.session.msg_header(kind); header["date"] = header["date"].isoformat()
    parent = dict(k.get_parent()["header"]); parent["date"] = str(parent["date"])
    parts = [json.dumps(header).encode(), json.dumps(parent).encode(), b"{}", content_bytes]
    k.iopub_socket.send_multipart([b"x", b"<IDS|MSG>", k.session.sign(parts), *parts])
"""

ATTACKS = [
    # --- network
    Attack(
        "connect-outside",
        "reach an address on the internet",
        SHOW_ERROR + "import socket; attempt(socket.create_connection, ('1.1.1.1', 80), 3)",
        r"OSError 101",
    ),
    Attack(
        "connect-host-loopback",
        "reach a service that listens on the host's loopback",
        SHOW_ERROR + "import socket; attempt(socket.create_connection, ('127.0.0.1', {port}), 3)",
        r"ConnectionRefusedError 111",
    ),
    Attack(
        "connect-abstract-socket",
        "reach an abstract unix socket of the host",
        SHOW_ERROR + "import socket; s = socket.socket(socket.AF_UNIX)\n"
        "attempt(s.connect, '\\0{abstract}')",
        r"ConnectionRefusedError 111",
    ),
    Attack(
        "resolve-name",
        "ask a name server",
        SHOW_ERROR + "import socket; attempt(socket.getaddrinfo, 'example.org', 80)",
        r"gaierror",
    ),
    Attack(
        "odd-socket-families",
        "open sockets that no network namespace holds, or raw ones",
        SHOW_ERROR + "import socket\n"
        "for f, t in ((40, 1), (17, 3), (38, 5), (16, 3)):\n"
        "    attempt(socket.socket, f, t, 12 if f == 16 else 0)\n"
        "attempt(socket.socket, socket.AF_INET, socket.SOCK_RAW, 1)",
        r"(OSError 97.*\n){4}PermissionError",
    ),
    # --- reading
    Attack(
        "read-host-files",
        "read the host's files",
        SHOW_ERROR + "import os\n"
        "for p in ('{canary}', '/etc/shadow', '/root', '/home', '/var/log', '/sys', '/boot'):\n"
        "    attempt(lambda: open(p).read() if '.' in p else os.listdir(p))",
        r"^(FileNotFoundError 2.*\n){7}$",
    ),
    Attack(
        "read-environment",
        "find our environment in its own or in another process's",
        "import os, glob\nfound = [os.environ.items()]\n"
        "for p in glob.glob('/proc/[0-9]*/environ'):\n"
        "    try: found.append(open(p, 'rb').read())\n"
        "    except OSError: pass\n"
        "print('CANARY' in str(found), 'DJANGO' in str(found), len(found) > 1)",
        r"^False False True",
    ),
    Attack(
        "see-processes",
        "see or signal processes outside",
        SHOW_ERROR + "import os, glob\n"
        "lines = [open(p).read() for p in glob.glob('/proc/[0-9]*/cmdline')]\n"
        "print(len(lines), any('pytest' in line for line in lines), os.getppid())\n"
        "attempt(os.kill, {pid}, 0)",
        r"^([23] False 1|1 False 0)\nProcessLookupError",
    ),
    Attack(
        "no-project-code",
        "find project code or checks",
        "import subprocess\n"
        "print(subprocess.run(['find', '/', '-xdev', '-name', 'contract.py', '-path', '*runner*'],"
        " capture_output=True, text=True).stdout.count('contract'))",
        r"^0$",
    ),
    # --- privilege
    Attack(
        "capabilities",
        "hold a capability or be able to gain one",
        "t = open('/proc/self/status').read()\n"
        "print([l.split()[1] for l in t.splitlines()"
        " if l.split(':')[0] in ('CapEff','CapPrm','CapBnd','CapAmb','NoNewPrivs','Seccomp')])",
        r"\['0{16}', '0{16}', '0{16}', '0{16}', '1', '2'\]",
    ),
    Attack(
        "forbidden-calls",
        "unshare, mount, ptrace, keyring, bpf, userfaultfd, setns, chroot",
        SYSCALL + "for name, number, *a in (('unshare', 272, 0x10000000), ('mount', 165, 0, 0, 0,"
        " 0, 0), ('ptrace', 101, 0, 0, 0, 0), ('keyctl', 250, 0, 0), ('bpf', 321, 0, 0, 0),"
        " ('userfaultfd', 323, 0), ('setns', 308, 0, 0), ('chroot', 161, b'/tmp'),"
        " ('clone-newuser', 56, 0x10000011, 0, 0, 0, 0), ('io_uring', 425, 1, 0)):\n"
        "    call(name, number, *a)",
        r"unshare 1\nmount 1\nptrace 1\nkeyctl 1\nbpf 1\nuserfaultfd 1\nsetns 1\nchroot 1\n"
        r"clone-newuser 1\nio_uring 38\n",
    ),
    Attack(
        "become-root",
        "change its user, or run a set-uid program",
        SHOW_ERROR + "import os; attempt(os.setuid, 0); attempt(os.setgroups, [0])\n"
        "print(os.getuid(), os.geteuid())",
        r"(OSError|PermissionError).*\n(OSError|PermissionError).*\n65534 65534",
    ),
    Attack(
        "inherited-descriptors",
        "find a descriptor that its launcher left open",
        "import os\nfor n in sorted(map(int, os.listdir('/proc/self/fd'))):\n"
        "    try: print(os.readlink(f'/proc/self/fd/{{n}}').split(':')[0])\n"
        "    except OSError: pass\n"
        "import subprocess; print('child', subprocess.run(['ls', '/proc/self/fd'],"
        " capture_output=True, text=True).stdout.split())",
        r"^((/dev/null|/memfd|socket|pipe|anon_inode|/proc/.*)\b.*\n)+"
        r"child \['0', '1', '2', '3'\]\n$",
    ),
    # --- writing
    Attack(
        "write-inputs",
        "change, replace, move or link away the inputs",
        SHOW_ERROR + "import os\n"
        "attempt(open, 'data/a.csv', 'w'); attempt(os.remove, 'data/a.csv')\n"
        "attempt(os.rename, 'data', 'elsewhere'); attempt(os.chmod, 'data/a.csv', 0o777)\n"
        "attempt(os.link, 'data/a.csv', 'output/a.csv')\n"
        "print(open('data/a.csv').read())",
        r"^OSError 30.*\nOSError 30.*\nOSError 16.*\nOSError 30.*\n"
        r"(OSError 18|PermissionError 1).*\nx,y",
    ),
    Attack(
        "write-outside",
        "write anywhere but in its folders",
        SHOW_ERROR + "for p in ('/x', '/dev/x', '/usr/x', '/etc/x', '/opt/env/x', '/proc/sys/x'):\n"
        "    attempt(open, p, 'w')",
        r"^(?:(?:OSError 30|PermissionError 13|FileNotFoundError 2).*\n){6}$",
    ),
    Attack(
        "fill-disk",
        "write more bytes than the folder may hold",
        SHOW_ERROR + "import os\n"
        "def fill():\n    for n in range(100): open(f'output/{{n}}', 'wb').write(bytes(4 << 20))\n"
        "attempt(fill)\nimport shutil; print(shutil.disk_usage('.').total)\n"
        "for n in range(100):\n    if os.path.exists(f'output/{{n}}'): os.remove(f'output/{{n}}')",
        rf"OSError 28.*\n{24 * MIB}\n",
    ),
    Attack(
        "fill-inodes",
        "make more files than the folder may hold",
        SHOW_ERROR + "import os, shutil\nos.mkdir('many')\n"
        "def fill():\n    for n in range(5000): open(f'many/{{n}}', 'w').close()\n"
        "attempt(fill); print(len(os.listdir('many')) <= 300); shutil.rmtree('many')",
        r"OSError 28.*\nTrue",
    ),
    Attack(
        "large-file",
        "make one file larger than a file may be",
        SHOW_ERROR + "f = open('/tmp/big', 'wb')\nattempt(f.truncate, 20 << 20)",
        r"OSError 27",
    ),
    Attack(
        "spoil-the-next-kernel",
        "fill /tmp and /dev/shm, close the folder, and die, so that no kernel can start again",
        "import os\nfor d in ('/tmp', '/dev/shm'):\n"
        "    try:\n        for n in range(999): open(f'{{d}}/{{n}}', 'wb').write(bytes(8 << 20))\n"
        "    except OSError: pass\n"
        "os.chmod('/work', 0); os._exit(0)",
        r"kernel died",
        (KILLED,),
        "died",
    ),
    # --- resources
    Attack(
        "fork-bomb",
        "start processes without end",
        "import os, time\nn = 0\ntry:\n    while True:\n"
        "        if os.fork() == 0: time.sleep(60); os._exit(0)\n        n += 1\n"
        "except OSError as e: print(e.errno, n <= 40)",
        r"^11 True",
    ),
    Attack(
        "use-memory",
        "use more memory than it may, in one process",
        "hoard = []\nwhile True: hoard.append(bytearray(b'x') * (8 << 20))",
        r"more memory",
        (KILLED,),
        "memory",
    ),
    Attack(
        "use-memory-in-children",
        "use more memory than it may, in many processes",
        "import os, time\npids = []\n"
        "for n in range(8):\n    pid = os.fork()\n"
        "    if pid == 0:\n        b = b'x' * (200 << 20); time.sleep(60); os._exit(0)\n"
        "    pids.append(pid)\n"
        "time.sleep(3); alive = [os.waitpid(p, os.WNOHANG) == (0, 0) for p in pids]\n"
        "print('within limits:', sum(alive) * 200 <= 512, sum(alive))",
        r"within limits: True|more memory",
        (OK, KILLED),
    ),
    Attack(
        "hide-memory",
        "use memory that no limit counts",
        SYSCALL + "call('memfd', 319, b'x', 0); call('shmget', 29, 0, 4096, 0o1600);"
        " call('mq_open', 240, b'x', 66, 384, 0)",
        r"memfd 38\nshmget 1\nmq_open 1",
    ),
    Attack(
        "ignore-interrupt",
        "run on after its deadline, deaf to SIGINT",
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        r"did not stop when it was interrupted",
        (KILLED,),
        "timeout",
        1.0,
    ),
    Attack(
        "stop-itself",
        "stand still and never answer",
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
        r"did not stop|^$",
        (KILLED, OK),  # the first process of a namespace cannot be stopped from within
        "timeout",
        1.0,
    ),
    Attack(
        "endless-loop",
        "run on after its deadline, but take the interrupt",
        "n = 7\nwhile True: pass",
        r"interrupted after 1 s",
        (TIMEOUT,),
        "timeout",
        1.0,
    ),
    Attack(
        "wait-for-input",
        "wait for somebody to type",
        "input('name?')",
        r"StdinNotImplementedError",
        (ERROR,),
    ),
    # --- output
    Attack(
        "endless-print",
        "print without end",
        "while True: print('y' * 1000)",
        r"characters of stdout are cut here",
        (TIMEOUT,),
        "timeout",
        2.0,
    ),
    Attack(
        "endless-messages",
        "send messages without end, past the cap inside",
        RAW_MESSAGE + 'while True: send_raw(\'stream\', b\'{{"name":"stdout","text":"zzzz"}}\')',
        r"more output than can be taken",
        (ERROR, KILLED),
        "flood",
    ),
    Attack(
        "endless-bytes",
        "send large messages without end, deaf to SIGINT",
        RAW_MESSAGE + "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "while True: send_raw('display_data', b'x' * (11 << 20))",
        r"more output than can be taken",
        (KILLED,),
        "flood",
        30.0,
    ),
    Attack(
        "huge-display",
        "show one picture of 14 MB",
        "from IPython.display import display\n"
        "display({{'image/png': 'A' * (14 << 20)}}, raw=True); print('still here')",
        r"(?s)still here.*1 outputs are left out",
    ),
    Attack(
        "many-displays",
        "show a thousand things",
        "from IPython.display import display\nfor n in range(1000): display(n)",
        r"980 displayed outputs are left out",
    ),
    Attack(
        "deep-json",
        "send JSON nested so deep that parsing it would fail",
        RAW_MESSAGE + "send_raw('display_data', b'{{\"data\":' + b'[' * 100_000 + b']' * 100_000 +"
        " b'}}'); print('still here')",
        r"(?s)still here.*left out",
    ),
    Attack(
        "wide-json",
        "send JSON that takes a hundred times its size in memory",
        RAW_MESSAGE + "send_raw('display_data', b'{{\"data\":[' + b'[],' * 2_000_000 + b'[]]}}');"
        " print('still here')",
        r"(?s)still here.*left out",
    ),
    Attack(
        "wrong-types",
        "send well-signed messages whose fields have the wrong types",
        RAW_MESSAGE + "for kind in ('stream', 'error', 'display_data', 'status', 'x'):\n"
        '    for c in (b\'{{"text":[1],"traceback":5,"data":7,"execution_state":[]}}\','
        ' b\'{{"data":{{"a":null}},"traceback":[1,{{}}],"transient":3,"name":{{}}}}\', b\'[]\','
        " b'nonsense'): send_raw(kind, c)\nprint('still here')",
        r"still here",
        (OK, ERROR),
    ),
    Attack(
        "huge-error",
        "raise an error with a message of 7 MB",
        "raise ValueError('e' * (7 << 20))",
        r"left out",
        (ERROR,),
    ),
    # --- life
    Attack("exit", "end the process", "import os; os._exit(3)", "died", (KILLED,), "died"),
    Attack(
        "segfault",
        "crash the interpreter",
        "import ctypes; ctypes.string_at(0)",
        r"kernel died",
        (KILLED,),
        "died",
    ),
    Attack(
        "replace-the-kernel",
        "put another program in the kernel's place",
        "import os; os.execv('/usr/bin/sleep', ['sleep', '100'])",
        r"kernel died",
        (KILLED,),
        "died",
    ),
    Attack(
        "kill-everything",
        "kill every process it can",
        SHOW_ERROR + "import os\nattempt(os.kill, -1, 9)\nos.kill(1, 9); print('on')",
        r"ProcessLookupError 3.*\non",
    ),
    # --- what it leaves behind
    Attack(
        "links",
        "leave links that lead outside, or to the inputs",
        "import os\nos.symlink('/etc/passwd', 'output/sym'); os.symlink('/', 'output/dir')\n"
        "open('output/one', 'w').write('1'); os.link('output/one', 'output/two')\n"
        "os.symlink('one', 'output/inner'); open('output/good.txt', 'w').write('good')",
        r"",
        files=("good.txt",),
        refused={
            "sym": "symbolic link",
            "dir": "symbolic link",
            "inner": "symbolic link",
            "one": "hard link",
            "two": "hard link",
        },
    ),
    Attack(
        "special-files",
        "leave a pipe and a socket that would block or confuse a reader",
        "import os, socket\nos.mkfifo('output/pipe')\n"
        "s = socket.socket(socket.AF_UNIX); s.bind('output/sock')",
        r"",
        refused={"pipe": "no regular file", "sock": "no regular file"},
    ),
    Attack(
        "names",
        "leave names that forge a page or a path",
        "import os\nfor n in (b'new\\nline', b'\\xe2\\x80\\xae' b'gpj.exe', b'bad\\xff', b'a\\\\b',"
        " b'n' * 240, b'fine \\xe4\\xb8\\xad.txt'):\n"
        "    open(b'output/' + n, 'w').close()",
        r"",
        files=("fine 中.txt",),
        refused={
            "new\\nline": "name",
            "\\u202egpj.exe": "name",
            "bad\\udcff": "name",
            "a\\b": "name",
            "n" * 240: "name",
        },
    ),
    Attack(
        "sparse-file",
        "leave a file that is small here and huge when copied",
        "for n in range(40):\n    with open(f'output/{{n:02}}', 'wb') as f: f.truncate(15 << 20)",
        r"",
        files=tuple(f"{n:02}" for n in range(17)),
        refused={"17": "too large", "39": "too large"},
    ),
    Attack(
        "replaced-output",
        "put a link in place of the output folder",
        "import os; os.rmdir('output'); os.symlink('/etc', 'output')",
        r"",
        refused={"output": "no folder"},
    ),
    Attack(
        "deep-folders",
        "nest folders without end",
        "import os\nos.chdir('output')\nfor n in range(60): os.mkdir('d'); os.chdir('d')\n"
        "open('f', 'w').close()",
        r"",
        refused={"/".join("d" * 9): "too deep"},
    ),
]


@dataclass
class Surroundings:
    """What a hostile cell would like to reach."""

    port: int
    abstract: str
    canary: Path


@pytest.fixture(scope="module", params=["bwrap", "zygote"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    os.environ["PYBENCH_TEST_CANARY"] = SECRET
    opened = open_sandbox(request.param)
    yield opened
    asyncio.run(opened.close())
    del os.environ["PYBENCH_TEST_CANARY"]


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surroundings]:
    canary = tmp_path_factory.mktemp("host") / "canary.txt"
    canary.write_text(SECRET)
    abstract = f"pybench-test-{os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(f"\0{abstract}")
        unix.listen()
        yield Surroundings(tcp.getsockname()[1], abstract, canary)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
async def test_attack_comes_to_nothing(
    attack: Attack, sandbox: Sandbox, surroundings: Surroundings, tmp_path: Path
) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    (inputs / "a.csv").write_text("x,y\n1,2\n")
    session = await sandbox.open(inputs, SMALL)
    try:
        result = await session.run(fill(attack.code, surroundings), attack.timeout_s)
        after = await session.run("print(6 * 7)", 20)
        await session.changes()
        harvest = await session.harvest(tmp_path / "taken")
    finally:
        await session.close()
    shown = show(result)
    assert result.status in attack.ends, shown
    assert result.reason == (attack.reason if result.status is not OK else ""), shown
    assert re.search(attack.shows, shown), shown
    assert SECRET not in shown
    assert "SUCCEEDED" not in shown
    assert after.status is OK, show(after)
    assert "42\n" in show(after)
    check_harvest(attack, harvest)
    assert (inputs / "a.csv").read_text() == "x,y\n1,2\n"


async def test_a_file_that_turns_into_a_link_while_it_is_read_leads_nowhere(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    """What changed is read while the cell's threads live on."""
    secret = Path("/etc/passwd").read_bytes()
    flip = """
        import os, threading
        def flip():
            while True:
                open('x', 'w').write('own'); os.rename('x', 'output/x')
                os.symlink('/etc/passwd', 'x'); os.rename('x', 'output/x')
        threading.Thread(target=flip, daemon=True).start()
    """
    session = await sandbox.open(tmp_path, SMALL)
    try:
        await session.run(textwrap.dedent(flip), 20)
        for _ in range(200):
            for change in await session.changes():
                assert change.content in (None, b"", b"own")
                assert change.content != secret
    finally:
        await session.close()


def fill(code: str, surroundings: Surroundings) -> str:
    values = {
        "{port}": str(surroundings.port),
        "{abstract}": surroundings.abstract,
        "{canary}": str(surroundings.canary),
        "{pid}": str(os.getpid()),
        "{{": "{",
        "}}": "}",
    }
    for placeholder, value in values.items():
        code = code.replace(placeholder, value)
    return textwrap.dedent(code)


def show(result: CellResult) -> str:
    """Everything the cell's outputs say, as one text."""
    return "".join(
        f"{output.error_name}: {output.text}\n" if output.kind is OutputKind.ERROR else output.text
        for output in result.outputs
    )


def check_harvest(attack: Attack, harvest: Harvest) -> None:
    if not (attack.files or attack.refused):
        return
    assert sorted(stored.path for stored in harvest.files) == sorted(attack.files)
    reasons = {refused.path: refused.reason for refused in harvest.refused}
    for path, reason in attack.refused.items():
        assert reason in reasons[path]
    for stored in harvest.files:
        assert stored.location.lstat().st_uid == os.getuid()
        assert stored.location.lstat().st_nlink == 1
