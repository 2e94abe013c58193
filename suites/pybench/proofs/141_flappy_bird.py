# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "elements-and-a-button": {
        "why": "moved elements instead of a canvas, with a start button",
        "cells": [
            "from pathlib import Path\nPath('output/141').mkdir(parents=True, exist_ok=True)\nPath('output/141/index.html').write_text('<!doctype html><html><head><meta charset=\"utf-8\"><title>Flappy</title></head><body>\\n<button id=\"go\">Start</button><div id=\"box\" style=\"position:relative;width:360px;height:480px;background:#9cf;overflow:hidden\">\\n<div id=\"bird\" style=\"position:absolute;left:60px;width:26px;height:26px;background:gold;border-radius:50%\"></div></div>\\n<p id=\"say\"></p>\\n<script>\\nconst box = document.getElementById(\\'box\\'), bird = document.getElementById(\\'bird\\');\\nlet y, v, pipes, on = false, ticks, timer;\\nfunction start() {\\n  y = 200; v = 0; ticks = 0; on = true;\\n  document.querySelectorAll(\\'.pipe\\').forEach(p => p.remove());\\n  pipes = []; document.getElementById(\\'say\\').textContent = \\'\\';\\n  clearInterval(timer); timer = setInterval(tick, 20);\\n}\\nfunction addPipe() {\\n  const top = 60 + Math.floor(Math.random() * 200);\\n  for (const [a, h] of [[0, top], [top + 140, 480]]) {\\n    const p = document.createElement(\\'div\\'); p.className = \\'pipe\\';\\n    p.style.cssText = `position:absolute;width:50px;background:green;top:${a}px;height:${h}px;left:360px`;\\n    box.append(p); pipes.push({p, x: 360, a, b: a + h});\\n  }\\n}\\nfunction tick() {\\n  if (ticks++ % 90 === 0) addPipe();\\n  v += 0.35; y += v; bird.style.top = y + \\'px\\';\\n  for (const q of pipes) {\\n    q.x -= 3; q.p.style.left = q.x + \\'px\\';\\n    if (q.x < 86 && q.x > 10 && y + 26 > q.a && y < q.b) end();\\n  }\\n  if (y > 454) end();\\n}\\nfunction end() { on = false; clearInterval(timer); document.getElementById(\\'say\\').textContent = \\'Game over\\'; }\\nfunction flap() { if (!on) start(); else v = -6; }\\ndocument.getElementById(\\'go\\').onclick = start;\\naddEventListener(\\'keydown\\', flap); box.addEventListener(\\'mousedown\\', flap);\\n</script></body></html>', encoding='utf-8')",
        ],
        "answer": "Open ./output/141/index.html",
    },
    "touch-only-words": {
        "why": "the reference with other names of its files and a style sheet of its own",
        "cells": [
            """from pathlib import Path
Path('output/141').mkdir(parents=True, exist_ok=True)
Path('output/141/style.css').write_text('body { background: #eef; text-align: center }', encoding='utf-8')""",
            "from pathlib import Path\nPath('output/141').mkdir(parents=True, exist_ok=True)\nPath('output/141/game.html').write_text('<!doctype html><html><head><meta charset=\"utf-8\"><link rel=\"stylesheet\" href=\"style.css\"><title>Flappy</title></head><body>\\n<button id=\"go\">Start</button><div id=\"box\" style=\"position:relative;width:360px;height:480px;background:#9cf;overflow:hidden\">\\n<div id=\"bird\" style=\"position:absolute;left:60px;width:26px;height:26px;background:gold;border-radius:50%\"></div></div>\\n<p id=\"say\"></p>\\n<script>\\nconst box = document.getElementById(\\'box\\'), bird = document.getElementById(\\'bird\\');\\nlet y, v, pipes, on = false, ticks, timer;\\nfunction start() {\\n  y = 200; v = 0; ticks = 0; on = true;\\n  document.querySelectorAll(\\'.pipe\\').forEach(p => p.remove());\\n  pipes = []; document.getElementById(\\'say\\').textContent = \\'\\';\\n  clearInterval(timer); timer = setInterval(tick, 20);\\n}\\nfunction addPipe() {\\n  const top = 60 + Math.floor(Math.random() * 200);\\n  for (const [a, h] of [[0, top], [top + 140, 480]]) {\\n    const p = document.createElement(\\'div\\'); p.className = \\'pipe\\';\\n    p.style.cssText = `position:absolute;width:50px;background:green;top:${a}px;height:${h}px;left:360px`;\\n    box.append(p); pipes.push({p, x: 360, a, b: a + h});\\n  }\\n}\\nfunction tick() {\\n  if (ticks++ % 90 === 0) addPipe();\\n  v += 0.35; y += v; bird.style.top = y + \\'px\\';\\n  for (const q of pipes) {\\n    q.x -= 3; q.p.style.left = q.x + \\'px\\';\\n    if (q.x < 86 && q.x > 10 && y + 26 > q.a && y < q.b) end();\\n  }\\n  if (y > 454) end();\\n}\\nfunction end() { on = false; clearInterval(timer); document.getElementById(\\'say\\').textContent = \\'Game over\\'; }\\nfunction flap() { if (!on) start(); else v = -6; }\\ndocument.getElementById(\\'go\\').onclick = start;\\naddEventListener(\\'keydown\\', flap); box.addEventListener(\\'mousedown\\', flap);\\n</script></body></html>', encoding='utf-8')",
        ],
        "answer": "The game is `./output/141/game.html`.",
    },
}
NEAR_MISSES = {
    "never-ends": {
        "why": "neither pipe nor ground ends the game",
        "cells": [
            "from pathlib import Path\nPath('output/141').mkdir(parents=True, exist_ok=True)\nPath('output/141/index.html').write_text('<!doctype html><html><head><meta charset=\"utf-8\"><title>Flappy</title></head><body>\\n<button id=\"go\">Start</button><div id=\"box\" style=\"position:relative;width:360px;height:480px;background:#9cf;overflow:hidden\">\\n<div id=\"bird\" style=\"position:absolute;left:60px;width:26px;height:26px;background:gold;border-radius:50%\"></div></div>\\n<p id=\"say\"></p>\\n<script>\\nconst box = document.getElementById(\\'box\\'), bird = document.getElementById(\\'bird\\');\\nlet y, v, pipes, on = false, ticks, timer;\\nfunction start() {\\n  y = 200; v = 0; ticks = 0; on = true;\\n  document.querySelectorAll(\\'.pipe\\').forEach(p => p.remove());\\n  pipes = []; document.getElementById(\\'say\\').textContent = \\'\\';\\n  clearInterval(timer); timer = setInterval(tick, 20);\\n}\\nfunction addPipe() {\\n  const top = 60 + Math.floor(Math.random() * 200);\\n  for (const [a, h] of [[0, top], [top + 140, 480]]) {\\n    const p = document.createElement(\\'div\\'); p.className = \\'pipe\\';\\n    p.style.cssText = `position:absolute;width:50px;background:green;top:${a}px;height:${h}px;left:360px`;\\n    box.append(p); pipes.push({p, x: 360, a, b: a + h});\\n  }\\n}\\nfunction tick() {\\n  if (ticks++ % 90 === 0) addPipe();\\n  v += 0.35; y += v; bird.style.top = y + \\'px\\';\\n  for (const q of pipes) {\\n    q.x -= 3; q.p.style.left = q.x + \\'px\\';\\n    if (q.x < 86 && q.x > 10 && y + 26 > q.a && y < q.b) v = 0;\\n  }\\n  if (y > 454) y = 0;\\n}\\nfunction end() { on = false; clearInterval(timer); document.getElementById(\\'say\\').textContent = \\'Game over\\'; }\\nfunction flap() { if (!on) start(); else v = -6; }\\ndocument.getElementById(\\'go\\').onclick = start;\\naddEventListener(\\'keydown\\', flap); box.addEventListener(\\'mousedown\\', flap);\\n</script></body></html>', encoding='utf-8')",
        ],
        "answer": "./output/141/index.html",
    },
    "hangs-in-the-air": {
        "why": "the bird neither falls nor can be steered, pipes stand still",
        "cells": [
            """from pathlib import Path
Path('output/141').mkdir(parents=True, exist_ok=True)
Path('output/141/index.html').write_text("<!doctype html><canvas id=c></canvas><script>document.getElementById('c').getContext('2d').fillRect(5, 5, 20, 20)</script>", encoding='utf-8')""",
        ],
        "answer": "./output/141/index.html",
    },
}
LEFT_OUT = {
    "change-word": "no wording is asked for",
    "blank-area": "it takes the hint below the game away, which is not asked for",
}
