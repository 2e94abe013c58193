"""Chromium without a screen or a network, on a clock of our own: the DevTools protocol on a pipe.

Timers, animation frames, dates and random numbers of the page are replaced by ours, so that what
is seen does not depend on the machine's speed: the same keys at the same times give the same
picture. Protocol: chromedevtools.github.io/devtools-protocol, messages ended by a zero byte.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from runner.checks import foreign_values
from runner.checks.case import HostFault

# The first is made for this: a fifth of the CPU of the others, which bring a desktop's parts along.
CHROMIUM = (
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib/chromium/chromium",
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
)
WIDTH, HEIGHT = 1024, 768
ANSWER_TIMEOUT_S = 30.0
MOST_BYTES = 32 << 20
MOST_STARTS = 3
FLAGS = (
    "--headless",
    "--no-sandbox",  # it has the check's own sandbox around it
    "--no-zygote",
    # A page has a process of its own, so that its crash differs from the browser's; not
    # one process for all, which ends by itself in one of thirty starts on a busy machine.
    "--in-process-gpu",
    "--enable-features=NetworkServiceInProcess2",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-breakpad",
    "--disable-extensions",
    "--mute-audio",
    "--hide-scrollbars",
    "--allow-file-access-from-files",  # a page may read the style sheet beside it
    "--no-first-run",
    "--remote-debugging-pipe",
    "--force-device-scale-factor=1",
    f"--window-size={WIDTH},{HEIGHT}",
)

# Replaces what makes a page differ from one run to the next. `__step(ms)` lets its time pass.
CLOCK = r"""
(() => {
  let now = 0, seed = 20240517, last = 0;
  const start = 1716000000000, timers = new Map(), frames = new Map();
  const OldDate = Date;
  const add = (f, ms, every, args) => {
    const wait = Math.max(1, +ms || 0);
    timers.set(++last, {f, at: now + wait, every, args, ms: wait});
    return last;
  };
  const call = (f, args) => {
    try { typeof f === 'function' ? f(...args) : (0, eval)(String(f)); }
    catch (error) { window.__errors.push(String(error && error.message || error)); }
  };
  window.__errors = [];
  window.alert = () => {}; window.confirm = () => true; window.prompt = () => '';
  window.setTimeout = (f, ms, ...args) => add(f, ms, false, args);
  window.setInterval = (f, ms, ...args) => add(f, ms, true, args);
  window.clearTimeout = window.clearInterval = id => { timers.delete(id); };
  window.requestAnimationFrame = f => { frames.set(++last, f); return last; };
  window.cancelAnimationFrame = id => { frames.delete(id); };
  Math.random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  performance.now = () => now;
  window.Date = class extends OldDate {
    constructor(...a) { a.length ? super(...a) : super(start + now); }
    static now() { return start + now; }
  };
  const due = () => {
    let best = null;
    for (const [id, t] of timers) if (t.at <= now && (!best || t.at < best[1].at)) best = [id, t];
    return best;
  };
  window.__step = ms => {
    for (const end = now + ms; now < end;) {
      now = Math.min(end, now + 1000 / 60);
      for (let guard = 0, next; guard < 500 && (next = due()); guard++) {
        const [id, t] = next;
        if (t.every) t.at += t.ms; else timers.delete(id);
        call(t.f, t.args);
      }
      const batch = [...frames]; frames.clear();
      for (const [, f] of batch) call(f, [now]);
    }
    return now;
  };
})();
"""


class BrowserBroken(Exception):
    """The page crashed, or Chromium did not start, ended, or did not answer."""


class BrowserEnded(BrowserBroken):
    """Chromium is no more."""


class Page:
    """One open page. `errors` holds its exceptions, `missing` the local files it did not find."""

    def __init__(self, folder: Path, profile: Path) -> None:
        self.folder = folder
        self.errors: list[str] = []
        self.missing: list[str] = []
        self.asked = 0
        self.session = ""
        self.requests: dict[str, str] = {}
        self.left = b""
        self.start(profile)

    def start(self, profile: Path) -> None:
        theirs_in, self.to = os.pipe()
        self.fro, theirs_out = os.pipe()

        def put_pipes() -> None:  # Chromium listens on 3 and answers on 4
            high = [os.dup(theirs_in), os.dup(theirs_out)]
            for target, fd in zip((3, 4), high, strict=True):
                os.dup2(fd, target, inheritable=True)

        environment = {"PATH": "/usr/bin:/bin", "HOME": str(profile), "LANG": "C.UTF-8"}
        self.process = subprocess.Popen(
            [find_chromium(), *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(3, 4, theirs_in, theirs_out),
            preexec_fn=put_pipes,
            start_new_session=True,
            env=environment,
        )
        os.close(theirs_in)
        os.close(theirs_out)

    def prepare(self) -> None:
        """Wait for the browser's empty page and put our clock in place."""
        deadline = time.monotonic() + ANSWER_TIMEOUT_S
        target = None
        while target is None:
            infos = self.ask("Target.getTargets")["targetInfos"]
            target = next((t["targetId"] for t in infos if t["type"] == "page"), None)
            if time.monotonic() > deadline:
                raise BrowserBroken("no page came up")
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Inspector", "Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")
        self.ask("Page.addScriptToEvaluateOnNewDocument", source=CLOCK)

    def show(self, path: Path) -> None:
        """Load the file anew: its state, its clock and its random numbers begin again."""
        deadline = time.monotonic() + ANSWER_TIMEOUT_S
        self.loaded = False
        self.ask("Page.navigate", url=path.resolve().as_uri())
        while not self.loaded:
            if time.monotonic() > deadline:
                raise BrowserBroken("the page did not finish loading")
            self.take(self.receive(deadline))
        self.advance(200)

    def survives(self, path: Path) -> bool:
        """Show the file; whether the browser is still there after it."""
        try:
            self.show(path)
        except BrowserEnded:
            return False
        return True

    def ask(self, method: str, **parameters: object) -> dict[str, Any]:
        """Send one command of the DevTools protocol and wait for its answer."""
        self.asked += 1
        message: dict[str, object] = {"id": self.asked, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        try:
            os.write(self.to, json.dumps(message).encode() + b"\0")
        except OSError as error:
            raise BrowserEnded("Chromium has ended") from error
        deadline = time.monotonic() + ANSWER_TIMEOUT_S
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.asked:
                if "error" in answer:
                    raise BrowserBroken(f"{method}: {str(answer['error'])[:200]}")
                result = answer.get("result")
                return result if isinstance(result, dict) else {}
            self.take(answer)

    def receive(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self.left:
            left_s = deadline - time.monotonic()
            ready = select.select([self.fro], [], [], max(0.0, left_s))[0]
            if not ready:
                raise BrowserBroken(f"no answer within {ANSWER_TIMEOUT_S:g} s")
            chunk = os.read(self.fro, 1 << 20)
            if not chunk:
                raise BrowserEnded("Chromium has ended")
            self.left += chunk
            if len(self.left) > MOST_BYTES:
                raise BrowserBroken(f"an answer of over {MOST_BYTES >> 20} MiB")
        line, self.left = self.left.split(b"\0", 1)
        try:
            return foreign_values.facts(json.loads(line))
        except (ValueError, RecursionError):  # a page's value may be nested too deeply
            raise BrowserBroken("an answer that cannot be read") from None

    def take(self, event: dict[str, Any]) -> None:
        """Keep what an event tells about the page's health."""
        method, what = event.get("method"), foreign_values.facts(event.get("params"))
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Inspector.targetCrashed":
            raise BrowserBroken("the page crashed")
        elif method == "Runtime.exceptionThrown":
            details = foreign_values.facts(what.get("exceptionDetails"))
            thrown = foreign_values.facts(details.get("exception")).get(
                "description"
            ) or details.get("text")
            self.errors.append(foreign_values.text(thrown).partition("\n")[0][:200])
        elif method == "Network.requestWillBeSent":
            address = foreign_values.text(foreign_values.facts(what.get("request")).get("url"))
            self.requests[foreign_values.text(what.get("requestId"))] = address
        elif method == "Network.loadingFailed":
            self.take_failed(self.requests.get(foreign_values.text(what.get("requestId")), ""))

    def take_failed(self, url: str) -> None:
        if url.startswith("file:"):
            name = url.rsplit("/", 1)[-1]
            if name != "favicon.ico":
                self.missing.append(name)

    def evaluate(self, expression: str) -> object:
        """The value of a JavaScript expression, which may be anything; None if it throws.

        Checks ask for a type: `number`, `text`, `texts` or `facts`.
        """
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        value = foreign_values.facts(answer.get("result")).get("value")
        return value if foreign_values.is_shallow(value) else None

    def number(self, expression: str) -> float:
        """The finite number that an expression gives, else 0.0."""
        return foreign_values.number(self.evaluate(expression))

    def text(self, expression: str) -> str:
        """The text that an expression gives, else ""."""
        return foreign_values.text(self.evaluate(expression))

    def texts(self, expression: str) -> list[str]:
        """The texts in the list that an expression gives."""
        return foreign_values.texts(self.evaluate(expression))

    def facts(self, expression: str) -> dict[str, Any]:
        """The object that an expression gives, else {}. Its values are still to be typed."""
        return foreign_values.facts(self.evaluate(expression))

    def advance(self, milliseconds: float) -> None:
        """Let the page's own time pass: its timers and animation frames run, one by one."""
        self.evaluate(f"window.__step && window.__step({float(milliseconds)})")
        errors = self.texts("(window.__errors || []).splice(0).slice(0, 20)")
        self.errors += [error[:200] for error in errors[:20]]

    def press(self, key: str) -> None:
        """A key pressed and released: " ", "ArrowUp", "Enter", "a"."""
        code, number = KEYS.get(key, (f"Key{key.upper()}", ord(key.upper()[0])))
        facts = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        text = {"text": key} if len(key) == 1 else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", **facts, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **facts)

    def click(self, x: float, y: float) -> None:
        where = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.ask("Input.dispatchMouseEvent", type="mousePressed", **where)
        self.ask("Input.dispatchMouseEvent", type="mouseReleased", **where)

    def picture(self) -> Any:
        """The window's contents as grey levels: rows × columns of 0–255."""
        import cv2
        import numpy as np

        shot = self.ask("Page.captureScreenshot", format="png", optimizeForSpeed=True)
        raw = np.frombuffer(base64.b64decode(foreign_values.text(shot.get("data"))), np.uint8)
        if not raw.size:
            raise BrowserBroken("no picture could be taken")
        return cv2.imdecode(raw, cv2.IMREAD_GRAYSCALE)

    def close(self) -> None:
        """End the browser and all its processes; a second time does nothing."""
        if self.to < 0:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        os.close(self.to)
        os.close(self.fro)
        self.to = self.fro = -1


KEYS = {
    " ": ("Space", 32),
    "Enter": ("Enter", 13),
    "ArrowLeft": ("ArrowLeft", 37),
    "ArrowUp": ("ArrowUp", 38),
    "ArrowRight": ("ArrowRight", 39),
    "ArrowDown": ("ArrowDown", 40),
}


def find_chromium() -> str:
    """Its path. A host without one is our fault, not the page's: HostFault."""
    program = next((p for p in CHROMIUM if Path(p).exists()), None)
    if program is None:
        raise HostFault("This check needs Chromium: apt-get install chromium-headless-shell.")
    return program


def started(folder: Path, profile: Path) -> Page:
    """A browser that shows an empty page. One that will not start is our fault: HostFault."""
    for attempt in range(1, MOST_STARTS + 1):
        page = Page(folder, profile / str(attempt))
        try:
            page.prepare()
        except BrowserBroken as error:
            page.close()
            reason = str(error)
        else:
            return page
    raise HostFault(f"Chromium did not start in {MOST_STARTS} attempts: {reason}.")
