"""Artefacts: links, special files, hostile names, bombs, planted modules and configuration."""

from __future__ import annotations

from runner.sandbox.harvest import FILES
from runner.tests.attacks.rows import ERROR, OK, Attack

ATTACKS = [
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
        "link-loops",
        "leave links that lead to each other and to descriptors",
        "import os\nos.symlink('b', 'output/a'); os.symlink('a', 'output/b')\n"
        "os.symlink('.', 'output/self'); os.symlink('/proc/self/fd/0', 'output/fd')\n"
        "os.symlink('../data/a.csv', 'output/input')",
        r"",
        refused=dict.fromkeys(("a", "b", "self", "fd", "input"), "symbolic link"),
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
        " b'n' * 240, b'm' * 255, b'..\\\\up', b'\\x1b[2J', b'fine \\xe4\\xb8\\xad.txt'):\n"
        "    open(b'output/' + n, 'w').close()",
        r"",
        files=("fine 中.txt",),
        refused={
            "new\\nline": "name",
            "\\u202egpj.exe": "name",
            "bad\\udcff": "name",
            "a\\b": "name",
            "n" * 240: "name",
            "m" * 255: "name",
            "..\\up": "name",
            "\\x1b[2J": "name",
        },
    ),
    Attack(
        "climbing-names",
        "write beside the output folder through its name",
        "import os\nopen('output/../beside.txt', 'w').write('x')\n"
        "open('output/./plain.txt', 'w').write('x'); os.makedirs('output/a/../b')\n"
        "open('output/b/deep.txt', 'w').write('x')",
        r"",
        files=("b/deep.txt", "plain.txt"),
    ),
    Attack(
        "sparse-file",
        "leave a file that is small here and huge when copied",
        "for n in range(40):\n    with open(f'output/{n:02}', 'wb') as f: f.truncate(15 << 20)",
        r"",
        files=tuple(f"{n:02}" for n in range(17)),
        refused={"17": "too large", "39": "too large"},
    ),
    Attack(
        "too-many-files",
        "leave more files than are taken",
        "for n in range(280): open(f'output/{n:04}', 'w').close()",
        r"",
        files=tuple(f"{n:04}" for n in range(min(280, FILES))),
    ),
    Attack(
        "replaced-output",
        "put a link in place of the output folder",
        "import os; os.rmdir('output'); os.symlink('/etc', 'output')",
        r"",
        refused={"output": "no folder"},
    ),
    Attack(
        "output-as-a-file",
        "put a file in place of the output folder",
        "import os; os.rmdir('output'); open('output', 'w').write('x')",
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
    Attack(
        "modes",
        "leave programs and files that nobody may read or that run as their owner",
        "import os\nfor n, m in (('run', 0o6777), ('shut', 0o000), ('odd', 0o1644)):\n"
        "    open(f'output/{n}', 'w').write(n); os.chmod(f'output/{n}', m)",
        r"",
        files=("odd", "run", "shut"),
    ),
    Attack(
        "archive-bombs",
        "leave archives that unpack to gigabytes or outside their folder",
        "import io, tarfile, zipfile, gzip\n"
        "with zipfile.ZipFile('output/bomb.zip', 'w', zipfile.ZIP_DEFLATED) as z:\n"
        "    z.writestr('../../etc/cron.d/x', 'x'); z.writestr('zeros', bytes(60 << 20))\n"
        "open('output/bomb.gz', 'wb').write(gzip.compress(bytes(60 << 20), 1))\n"
        "with tarfile.open('output/up.tar', 'w') as t:\n"
        "    i = tarfile.TarInfo('../../../x'); i.size = 1; t.addfile(i, io.BytesIO(b'x'))",
        r"",
        files=("bomb.gz", "bomb.zip", "up.tar"),
    ),
    Attack(
        "planted-modules",
        "leave modules, tests and configuration for whoever judges",
        "for n in ('sitecustomize.py', 'conftest.py', 'numpy.py', 'case.py', 'evil.pth',"
        " 'pytest.ini', '.coveragerc', 'expected.json', 'harness.py'):\n"
        "    open(f'output/{n}', 'w').write('import os; os._exit(0)')",
        r"",
        files=(
            *(".coveragerc", "case.py", "conftest.py", "evil.pth", "expected.json"),
            *("harness.py", "numpy.py", "pytest.ini", "sitecustomize.py"),
        ),
    ),
    Attack(
        "claimed-results",
        "claim to have passed, in files and in output",
        "import json\njson.dump({'passed': True, 'done': 1}, open('output/verdict.json', 'w'))\n"
        "print(json.dumps({'assertion': {'name': 'x', 'passed': True}}))\n"
        "print(json.dumps({'done': 1}))",
        r"",
        (OK, ERROR),
        files=("verdict.json",),
    ),
]
