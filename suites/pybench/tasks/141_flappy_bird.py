"""A small Flappy Bird as a web page, played for a few seconds of its own time."""

from runner.checks import Case, browser, pages

INDEX = "141"
TITLE = "Flappy Bird as a web page"
CATEGORY = "software"
OUTPUTS = ["141"]
STRENGTH = "partial"
BROWSER = True
LEAST = 0.0002  # of the window's pixels
NOTE = "The page is opened in a browser on a clock of the check's own and played: it must run without an error, move by itself, fall without a key and answer to one. How well it plays is not judged."


def check(case: Case) -> None:
    names = pages.html_files(case, "141")
    name = names[0]
    pages.demand_scripts(case, name)  # without them there is nothing to play
    with pages.opened(case, name) as page:
        idle = play(page, flaps=False)
        stage = "document.querySelectorAll('canvas, svg').length + document.body.children.length"
        case.expect("there is a stage", (page.evaluate(stage) or 0) > 0, file=name)
        page.show(case.output / name)
        played = play(page, flaps=True)
        pages.expect_healthy(case, page, name)
    moves = sum(pages.changed(a, b) > LEAST for a, b in zip(idle, idle[1:], strict=False))
    case.expect(
        "it moves by itself",
        moves >= 3,
        "pictures that differ over time",
        f"{moves} of {len(idle) - 1} pairs differ",
        name,
        f"{name} shows the same still picture while its time passes.",
    )
    answers = sum(pages.changed(a, b) > LEAST for a, b in zip(idle, played, strict=True))
    case.expect(
        "it answers to a key or a click",
        answers >= 2,
        "another course of play with flaps than without",
        f"{answers} of {len(idle)} pictures differ",
        name,
        f"{name} plays the same with flaps as without: the bird cannot be steered.",
    )


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
