"""Messages: malformed, forged and broken off, down to the bytes on the wire."""

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

MESSAGES = [
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
]
