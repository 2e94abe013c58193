"""Output: text, errors and displays that are endless, huge or broken."""

from __future__ import annotations

from runner.tests.attacks.rows import (
    ANY,
    ERROR,
    KILLED,
    OK,
    RAW_MESSAGE,
    TIMEOUT,
    Attack,
)

STOPPED = (TIMEOUT, ERROR, KILLED)

OUTPUT = [
    Attack(
        "text-that-is-no-text",
        "print halves of surrogate pairs and bytes that are no text, to have the rest left out",
        "import os\nprint('before \\udc80 after')\nos.write(1, b'raw \\xff end')",
        r"before \ufffd after\n(.|\n)*raw \ufffd end",
    ),
    Attack(
        "halves-of-pairs",
        "send halves of surrogate pairs and NULs as formats, values and names of errors",
        RAW_MESSAGE + "e = chr(92) + 'ud800' + chr(92) + 'u0000'\n"
        'for kind, content in ((\'display_data\', \'{"data": {"text/plain": "@", "x/@": "@"}}\'),\n'
        '        (\'error\', \'{"ename": "@", "evalue": "@", "traceback": ["@"]}\')):\n'
        "    send_raw(kind, content.replace('@', e).encode())\nprint('on')",
        r"on\n",
        (OK, ERROR),
    ),
    Attack(
        "one-letter-each",
        "make thousands of outputs of one letter by turns of stream",
        RAW_MESSAGE + "for n in range(3900):\n"
        "    name = ('stdout', 'stderr')[n % 2]\n"
        "    send_raw('stream', json.dumps({'name': name, 'text': 'x'}).encode())\n"
        "print('on')",
        r"on\n",
    ),
    Attack(
        "many-idles",
        "claim to be idle long before the end",
        RAW_MESSAGE + "import time\n"
        "for n in range(3000): send_raw('status', b'{\"execution_state\":\"idle\"}')\n"
        "time.sleep(2); print('late')",
        r"^late\n$",
    ),
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
        r"left out|cut|more output than can be taken",
        (OK, ERROR, KILLED),
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
    Attack(
        "many-errors",
        "send signed errors without end, each with a long traceback",
        RAW_MESSAGE + "content = json.dumps({'ename': 'E', 'evalue': 'v',"
        " 'traceback': ['\\U0001f600' * 16_000]}, ensure_ascii=False).encode()\n"
        "for n in range(300): send_raw('error', content)\nprint('on')",
        r"290 errors are left out",
        (ERROR,),
    ),
    Attack(
        "many-types",
        "show outputs of a hundred thousand formats, all empty",
        RAW_MESSAGE + "for n in range(4): send_raw('display_data', json.dumps({'data':"
        " {f'{n}{k:099}': '' for k in range(70_000)}}).encode())\nprint('on')",
        r"(?s)on.*279960 formats of displayed outputs are left out",
    ),
    Attack(
        "many-images",
        "show an output of three thousand images",
        RAW_MESSAGE + "for n in range(30): send_raw('display_data', json.dumps({'data':"
        " {f'image/x{k:05}': f'{n:03}{k:05}' for k in range(3_000)}}).encode())\nprint('on')",
        r"(?s)on.*images are left out: an output may have 4 and a cell 40",
    ),
    Attack(
        "many-updates",
        "replace a display by larger ones",
        "from IPython.display import display\nh = display('x', display_id=True)\n"
        "for n in range(9): h.update({f'k/{k}': 'y' * (n << 20) for k in range(1)}, raw=True)\n"
        "print('on')",
        r"(?s)on.*displayed outputs are left out",
    ),
    Attack(
        "long-display-ids",
        "name displays by a megabyte each",
        "from IPython.display import display\n"
        "for n in range(40): display(n, display_id=f'{n}' + 'i' * (1 << 20))\nprint('on')",
        r"(?s)on.*20 displayed outputs are left out",
    ),
    Attack(
        "heavy-metadata",
        "show results whose metadata are large and deep",
        RAW_MESSAGE + "k.session.metadata = {}\ndef send_meta(meta):\n"
        "    header = k.session.msg_header('display_data'); header['date'] = '2026'\n"
        "    parent = dict(k.get_parent()['header']); parent['date'] = str(parent['date'])\n"
        "    parts = [json.dumps(header).encode(), json.dumps(parent).encode(), meta, b'{}']\n"
        "    k.iopub_socket.send_multipart([b'x', b'<IDS|MSG>', k.session.sign(parts), *parts])\n"
        "for n in range(10): send_meta(b'[' * (1 << 19) + b']' * (1 << 19)); send_meta(b'[],')\n"
        "print('on')",
        r"on",
    ),
    Attack(
        "unwritable-json",
        "send values that can be read and not written again, then go on",
        RAW_MESSAGE + "for d in range(800, 1100, 10): send_raw('display_data',"
        " b'{\"data\":{\"x/y\":' + b'[' * d + b']' * d + b'}}')\nprint('still here')",
        r"still here",
    ),
    Attack(
        "small-frames",
        "send frames without content on the bare socket, which make no message",
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "peer = get_ipython().kernel.iopub_socket.peer; peer.setblocking(True)\n"
        "while True: peer.sendall(b'\\4\\0' * 65536)",
        r"more output than can be taken",
        (KILLED,),
        "*",
        20.0,
        spoils=True,
    ),
    Attack(
        "small-messages",
        "send empty messages on the bare socket without end",
        "peer = get_ipython().kernel.iopub_socket.peer; peer.setblocking(True)\n"
        "while True: peer.sendall(b'\\0\\0' * 65536)",
        r"more output than can be taken",
        (ERROR, KILLED),
        "flood",
        20.0,
        spoils=True,
    ),
]
