"""Output: endless, huge, malformed and forged messages, down to the bytes on the wire."""

from __future__ import annotations

from runner.tests.attacks.rows import (
    ANY,
    ERROR,
    KILLED,
    OK,
    RAW_MESSAGE,
    RAW_SOCKETS,
    TIMEOUT,
    Attack,
)

STOPPED = (TIMEOUT, ERROR, KILLED)

ATTACKS = [
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
        "endless-errors",
        "write to stderr without end",
        "import sys\nwhile True: sys.stderr.write('e' * 1000)",
        r"characters of stderr are cut here",
        (TIMEOUT,),
        "timeout",
        2.0,
    ),
    Attack(
        "endless-descriptor",
        "write to the descriptors below Python's streams without end",
        "import os\nwhile True: os.write(1, b'z' * 65536); os.write(2, b'z' * 65536)",
        r"",
        STOPPED,
        "*",
        2.0,
    ),
    Attack(
        "endless-child",
        "let a child print without end",
        "import subprocess; subprocess.run('yes', shell=True)",
        r"",
        STOPPED,
        "*",
        2.0,
    ),
    Attack(
        "endless-displays",
        "show and replace a picture without end",
        "from IPython.display import display, clear_output\nh = display('x', display_id=True)\n"
        "while True: h.update('y' * 1000); clear_output()",
        r"",
        STOPPED,
        "*",
        3.0,
    ),
    Attack(
        "endless-messages",
        "send messages without end, past the cap inside",
        RAW_MESSAGE + 'while True: send_raw(\'stream\', b\'{"name":"stdout","text":"zzzz"}\')',
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
        "display({'image/png': 'A' * (14 << 20)}, raw=True); print('still here')",
        r"(?s)still here.*1 outputs are left out",
    ),
    Attack(
        "huge-frame",
        "send one message of 200 MB",
        RAW_MESSAGE + "send_raw('display_data', b'x' * (200 << 20)); print('still here')",
        r"still here|more output than can be taken",
        (OK, ERROR, KILLED),
        "flood",
        30.0,
    ),
    Attack(
        "many-displays",
        "show a thousand things",
        "from IPython.display import display\nfor n in range(1000): display(n)",
        r"980 displayed outputs are left out",
    ),
    Attack(
        "huge-repr",
        "end with a value whose text is 60 MB",
        "class A:\n    def __repr__(self): return 'r' * (60 << 20)\nA()",
        r"left out|cut",
        (OK, ERROR),
        "flood",
    ),
    Attack(
        "broken-repr",
        "end with values whose text, pictures and pages cannot be made",
        "from IPython.display import display\nclass A:\n"
        "    def __repr__(self): raise SystemExit('r')\n"
        "    def _repr_html_(self): return 7\n    def _repr_png_(self): return {'a': self}\n"
        "    def _repr_mimebundle_(self, **k): return {1: 2}, {'x': self}\n"
        "try: display(A())\nexcept BaseException as e: print(type(e).__name__)\n"
        "print('still here')",
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
    Attack(
        "deep-error",
        "raise an error of a thousand causes",
        "e = ValueError('first')\n"
        "for n in range(1000):\n    f = KeyError(n); f.__cause__ = e; e = f\n"
        "raise e",
        r"KeyError|ValueError|RecursionError",
        (ERROR,),
    ),
    Attack(
        "error-without-text",
        "raise an error that cannot be put in words",
        "class E(Exception):\n    def __str__(self): raise E()\n    __repr__ = __str__\nraise E()",
        r"E",
        ANY,
        "*",
        3.0,
    ),
    Attack(
        "deep-json",
        "send JSON nested so deep that parsing it would fail",
        RAW_MESSAGE + "send_raw('display_data', b'{\"data\":' + b'[' * 100_000 + b']' * 100_000 +"
        " b'}'); print('still here')",
        r"(?s)still here.*left out",
    ),
    Attack(
        "wide-json",
        "send JSON that takes a hundred times its size in memory",
        RAW_MESSAGE + "send_raw('display_data', b'{\"data\":[' + b'[],' * 2_000_000 + b'[]]}');"
        " print('still here')",
        r"(?s)still here.*left out",
    ),
    Attack(
        "odd-numbers",
        "send numbers that no float holds, and text that is no text",
        RAW_MESSAGE + 'for c in (b\'{"data":{"text/plain":1e999}}\', b\'{"data":NaN}\','
        " b'{\"data\":' + b'9' * 100_000 + b'}', b'{\"data\":{\"text/plain\":\"\\\\ud800\"}}',"
        " b'\\xff\\xfe', b''): send_raw('display_data', c)\nprint('still here')",
        r"still here",
        (OK, ERROR),
    ),
    Attack(
        "wrong-types",
        "send well-signed messages whose fields have the wrong types",
        RAW_MESSAGE + "for kind in ('stream', 'error', 'display_data', 'status', 'x'):\n"
        '    for c in (b\'{"text":[1],"traceback":5,"data":7,"execution_state":[]}\','
        ' b\'{"data":{"a":null},"traceback":[1,{}],"transient":3,"name":{}}\', b\'[]\','
        " b'nonsense'): send_raw(kind, c)\nprint('still here')",
        r"still here",
        (OK, ERROR),
    ),
    Attack(
        "wrong-headers",
        "send messages whose headers, parents and signatures are nonsense",
        "import os\nk = get_ipython().kernel\n"
        "for parts in ([b'{}'] * 4, [b'[]'] * 4, [b'null'] * 4,"
        " [b'{\"msg_type\":[],\"msg_id\":{}}', b'{\"msg_id\":[1]}', b'7', b'{}'], [b''] * 9, []):\n"
        "    for s in (k.session.sign(parts), b'', b'0' * 64, os.urandom(64)):\n"
        "        k.iopub_socket.send_multipart([b'x', b'<IDS|MSG>', s, *parts])\n"
        "        k.iopub_socket.send_multipart([s, *parts])\nprint('still here')",
        r"still here",
        (OK, ERROR),
    ),
    Attack(
        "forged-reply",
        "say that the cell is over and went well while it goes on",
        "import time\nk = get_ipython().kernel\np = k.get_parent()\n"
        "for s in (getattr(k, 'shell_stream', None), *getattr(k, 'shell_streams', ()) or ()):\n"
        "    try: k.session.send(s, 'execute_reply', {'status': 'ok', 'execution_count': 9}, p,"
        " ident=k._parent_ident if not isinstance(k._parent_ident, dict)"
        " else k._parent_ident['shell'])\n"
        "    except Exception: pass\n"
        "k.session.send(k.iopub_socket, 'status', {'execution_state': 'idle'}, p, ident=b'x')\n"
        "time.sleep(0.2); raise ValueError('it did not')",
        r"",
        (OK, ERROR),
    ),
    Attack(
        "forged-replies-to-others",
        "answer requests that were never made, and the next one in advance",
        "k = get_ipython().kernel\nfor n in range(50):\n"
        "    k.session.send(k.iopub_socket, 'execute_result', {'data': {'text/plain': 'forged'},"
        " 'metadata': {}, 'execution_count': n}, {'header': {'msg_id': f'{n}'}}, ident=b'x')\n"
        "print('on')",
        r"^on\n$",
    ),
    Attack(
        "many-frames",
        "send one message of ten thousand frames",
        "k = get_ipython().kernel\nk.iopub_socket.send_multipart([b'x'] * 10_000)\nprint('on')\n"
        "import time; time.sleep(2)",
        r"",
        (OK, ERROR, KILLED),
        "flood",
    ),
    Attack(
        "unfinished-multipart",
        "send a message on the bare socket that never ends",
        RAW_SOCKETS + "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "import threading\n"
        "def pour(s):\n    s.setblocking(True)\n"
        "    try:\n        while True: s.sendall(b'\\1\\xff' + b'm' * 255)\n"
        "    except OSError: pass\n"
        "ts = [threading.Thread(target=pour, args=(s,)) for s in raw_sockets()]\n"
        "[t.start() for t in ts]; [t.join() for t in ts]\nprint(len(ts))",
        r"more output than can be taken|did not stop|kernel died|\d",
        ANY,
        "*",
        6.0,
        spoils=True,
    ),
    Attack(
        "claimed-length",
        "claim a frame of an exabyte on the bare socket, and one of minus one byte",
        RAW_SOCKETS + "import struct\nfor s in list(raw_sockets()):\n"
        "    for n in (1 << 60, (1 << 64) - 1):\n"
        "        try: s.send(b'\\2' + struct.pack('>Q', n) + b'x' * 100)\n"
        "        except OSError: pass\nprint('sent')",
        r"",
        ANY,
        "*",
        6.0,
        spoils=True,
    ),
    Attack(
        "noise-on-the-wire",
        "send noise on the bare sockets",
        RAW_SOCKETS + "for s in list(raw_sockets()):\n"
        "    for n in range(50):\n        try: s.send(os.urandom(4096))\n"
        "        except OSError: pass\nprint('sent')",
        r"",
        ANY,
        "*",
        6.0,
        spoils=True,
    ),
    Attack(
        "hang-up",
        "close the sockets to us and live on",
        RAW_SOCKETS + "for s in list(raw_sockets()): s.shutdown(socket.SHUT_RDWR)\n"
        "import time; time.sleep(1000)",
        r"",
        STOPPED,
        "*",
        4.0,
        spoils=True,
    ),
    Attack(
        "control-characters",
        "send characters that steer a terminal or a page",
        "print('\\x1b]0;owned\\x07\\x1b[2J\\x00\\u202e<script>alert(1)</script>')\nprint('on')",
        r"on",
    ),
    Attack(
        "comms",
        "open channels for widgets without end",
        "k = get_ipython().kernel\nfor n in range(2000):\n"
        "    k.session.send(k.iopub_socket, 'comm_open', {'comm_id': str(n), 'target_name': 'x',"
        " 'data': {'a': 'b' * 500}}, k.get_parent(), ident=b'x')\nprint('on')",
        r"on|more output",
        (OK, ERROR),
        "flood",
    ),
]
