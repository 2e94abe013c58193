# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A small Flappy Bird as a web page, played for a few seconds of its own time."""

from runner.checks import Case
from runner.checks.programs import browser, web_pages

INDEX = "141"
TITLE = "Flappy Bird as a web page"
CATEGORY = "software"
OUTPUTS = ["141"]
STRENGTH = "partial"
BROWSER = True
LEAST = 0.0002  # of the window's pixels
NOTE = "The page is opened in a browser on a clock of the check's own and played: it must run without an error, move by itself, fall without a key, answer to one, and come to an end (a standstill, or words that say so) when nobody flaps. How well it plays is not judged, nor that pipes come, or that what ends it is a pipe or the ground."


def check(case: Case) -> None:
    names = web_pages.html_files(case, "141")
    name = names[0]
    web_pages.demand_scripts(case, name)  # without them there is nothing to play
    with web_pages.opened(case, name) as page:
        page.ask("Page.addScriptToEvaluateOnNewDocument", source=LISTEN)
        page.show(case.output / name)
        idle = play(page, flaps=False)
        late = [seen_after(page, 1000) for _ in range(8)]
        over = page.text(OVER)
        stage = "document.querySelectorAll('canvas, svg').length + document.body.children.length"
        case.expect("there is a stage", page.number(stage) > 0, file=name)
        page.show(case.output / name)
        played = play(page, flaps=True)
        web_pages.expect_healthy(case, page, name)
    moves = sum(web_pages.changed(a, b) > LEAST for a, b in zip(idle, idle[1:], strict=False))
    case.expect(
        "it moves by itself",
        moves >= 3,
        "pictures that differ over time",
        f"{moves} of {len(idle) - 1} pairs differ",
        name,
        f"{name} shows the same still picture while its time passes.",
    )
    still = [web_pages.changed(a, b) <= LEAST for a, b in zip(late[-4:], late[-3:], strict=False)]
    case.expect(
        "it ends",
        all(still) or over,
        "a standstill, or words that say so, when nobody flaps",
        over or ("a standstill" if all(still) else "on and on"),
        name,
        f"{name} goes on and on when nobody flaps: no collision ends it.",
    )
    answers = sum(web_pages.changed(a, b) > LEAST for a, b in zip(idle, played, strict=True))
    case.expect(
        "it answers to a key or a click",
        answers >= 2,
        "another course of play with flaps than without",
        f"{answers} of {len(idle)} pictures differ",
        name,
        f"{name} plays the same with flaps as without: the bird cannot be steered.",
    )


# Notes the texts that a canvas is given, and tells at the end those that speak of an end.
LISTEN = """
window.__drawn = [];
for (const name of ['fillText', 'strokeText']) {
  const draw = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (text, ...rest) {
    if (window.__drawn.length > 400) window.__drawn.splice(0, 200);
    window.__drawn.push(String(text));
    return draw.call(this, text, ...rest);
  };
}
"""
OVER = r"""(() => {
  const said = (document.body ? document.body.innerText : '') + ' ' + window.__drawn.slice(-60).join(' ');
  const found = said.match(/game ?over|you (?:lose|lost|died|crashed)|crashed|restart|try again|play again|retry|final score/i);
  return found ? found[0] : '';
})()"""


def seen_after(page, ms: float):
    page.advance(ms)
    return page.picture()


def play(page, flaps: bool) -> list:
    """Pictures of 2.5 seconds of play, after the game was started the usual ways."""
    page.evaluate("[...document.querySelectorAll('button')].slice(0, 3).forEach(b => b.click())")
    flap(page)
    page.advance(100)
    shown = []
    for _ in range(10):
        if flaps:
            flap(page)
        page.advance(250)
        shown.append(page.picture())
    return shown


def flap(page) -> None:
    page.press(" ")
    page.click(browser.WIDTH / 2, browser.HEIGHT / 3)


REFERENCE = {
    "cells": [
        '''
from pathlib import Path

folder = Path("output/141")
folder.mkdir(parents=True, exist_ok=True)
page = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Flappy bird</title>
<style>
  body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: #345; color: #fff; font-family: sans-serif; }
  canvas { background: #70c5ce; border: 2px solid #fff; touch-action: none; }
</style>
</head>
<body>
<div>
<canvas id="game" width="400" height="560"></canvas>
<p>Space, arrow up or a click flaps. After a crash a flap starts again.</p>
</div>
<script>
const canvas = document.getElementById("game");
const pen = canvas.getContext("2d");
const GRAVITY = 0.0016, FLAP = -0.46, SPEED = 0.16, GAP = 150, WIDE = 60;
let bird, pipes, score, best = 0, over, last;

function reset() {
  bird = { x: 90, y: 240, v: 0 };
  pipes = [newPipe(460), newPipe(690)];
  score = 0;
  over = false;
}
function newPipe(x) {
  return { x, top: 60 + Math.random() * 280, passed: false };
}
function flap() {
  if (over) reset();
  bird.v = FLAP;
}
function update(ms) {
  bird.v += GRAVITY * ms;
  bird.y += bird.v * ms;
  for (const pipe of pipes) {
    pipe.x -= SPEED * ms;
    if (!pipe.passed && pipe.x + WIDE < bird.x) { pipe.passed = true; score += 1; best = Math.max(best, score); }
    const inside = bird.x + 14 > pipe.x && bird.x - 14 < pipe.x + WIDE;
    if (inside && (bird.y - 14 < pipe.top || bird.y + 14 > pipe.top + GAP)) over = true;
  }
  if (pipes[0].x < -WIDE) { pipes.shift(); pipes.push(newPipe(pipes[0].x + 230)); }
  if (bird.y > canvas.height - 14 || bird.y < 14) over = true;
}
function draw() {
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = "#3a9d3a";
  for (const pipe of pipes) {
    pen.fillRect(pipe.x, 0, WIDE, pipe.top);
    pen.fillRect(pipe.x, pipe.top + GAP, WIDE, canvas.height);
  }
  pen.fillStyle = "#ffd23f";
  pen.beginPath();
  pen.arc(bird.x, bird.y, 14, 0, 7);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.font = "24px sans-serif";
  pen.fillText(`${score}  (best ${best})`, 16, 34);
  if (over) pen.fillText("Crashed: flap to start again", 50, 280);
}
function frame(now) {
  const ms = Math.min(40, now - (last ?? now));
  last = now;
  if (!over) update(ms);
  draw();
  requestAnimationFrame(frame);
}
addEventListener("keydown", event => {
  if ([" ", "ArrowUp"].includes(event.key)) { event.preventDefault(); flap(); }
});
canvas.addEventListener("pointerdown", flap);
reset();
requestAnimationFrame(frame);
</script>
</body>
</html>
"""
(folder / "index.html").write_text(page, encoding="utf-8")
print(sorted(p.name for p in folder.iterdir()))
''',
    ],
    "answer": "The demo is in ./output/141/index.html: open it in a browser; space, arrow up or a click flaps.",
}
WRONG = {
    "script-not-saved": {
        "why": "saves a page whose script file was never written",
        "cells": [
            '''
import os
os.makedirs("output/141", exist_ok=True)
open("output/141/flappy.html", "w").write("""<!doctype html><html><head><title>Flappy</title></head>
<body><h1>Flappy bird</h1><canvas id="game" width="288" height="512"></canvas><script src="game.js"></script></body></html>""")
''',
        ],
        "answer": "The Flappy Bird demo is saved in ./output/141/flappy.html.",
    },
    "cannot-be-steered": {
        "why": "animates a falling bird and never listens for a key",
        "cells": [
            '''
import os
os.makedirs("output/141", exist_ok=True)
open("output/141/index.html", "w").write("""<!doctype html><html><head><title>Flappy</title></head><body>
<canvas id="c" width="400" height="500"></canvas><script>
const pen = document.getElementById("c").getContext("2d"); let y = 50, x = 400;
setInterval(() => { pen.fillStyle = "skyblue"; pen.fillRect(0, 0, 400, 500); y = (y + 2) % 500; x = (x + 397) % 400;
pen.fillStyle = "green"; pen.fillRect(x, 0, 40, 200); pen.fillStyle = "gold"; pen.fillRect(80, y, 20, 20); }, 20);
</script></body></html>""")
''',
        ],
        "answer": "The Flappy Bird demo is saved in ./output/141/index.html.",
    },
    "throws-at-once": {
        "why": "uses a name that does not exist, so the game never starts",
        "cells": [
            '''
import os
os.makedirs("output/141", exist_ok=True)
open("output/141/index.html", "w").write("""<!doctype html><html><head><title>Flappy</title></head><body>
<canvas id="c" width="400" height="500"></canvas><script>
const pen = document.getElementById("c").getContext("2d"); const bird = new Bird(80, 200);
function loop() { bird.update(); requestAnimationFrame(loop); } loop();
</script></body></html>""")
''',
        ],
        "answer": "The Flappy Bird demo is saved in ./output/141/index.html.",
    },
}
