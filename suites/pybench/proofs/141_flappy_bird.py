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
GAMERS = {
    "no-pipes": {
        "why": "pipes are written and never put up",
        "cells": [
            "import os\nos.makedirs('output/141',exist_ok=True)\nopen('output/141/flappy.html','w',encoding='utf-8').write('<!DOCTYPE html><html><head><title>Flappy Bird</title><style>canvas{border:2px solid #000;display:block;margin:20px auto}button{display:block;margin:auto}</style></head><body>\\n<canvas id=\"game\" width=\"320\" height=\"480\"></canvas><button id=\"start\">Start game</button>\\n<script>\\nclass Bird{constructor(){this.x=50;this.y=200;this.vel=0}flap(){this.vel=-6}update(){this.vel+=0.35;this.y+=this.vel}draw(g){g.fillStyle=\\'red\\';g.fillRect(this.x-12,this.y-12,24,24)}}\\nclass Pipe{constructor(){this.x=320;this.top=50+Math.random()*220;this.gap=130;this.w=50}update(){this.x-=2}draw(g){g.fillStyle=\\'green\\';g.fillRect(this.x,0,this.w,this.top);g.fillRect(this.x,this.top+this.gap,this.w,480)}hits(b){return b.x+12>this.x&&b.x-12<this.x+this.w&&(b.y-12<this.top||b.y+12>this.top+this.gap)}}\\nconst canvas=document.getElementById(\\'game\\'),g=canvas.getContext(\\'2d\\'),btn=document.getElementById(\\'start\\');\\nlet bird,pipes,frames,score,timer=null;\\nfunction start(){bird=new Bird();pipes=[];frames=0;score=0;clearInterval(timer);timer=setInterval(step,1000/60);btn.blur()}\\nfunction end(){clearInterval(timer);timer=null;g.fillStyle=\\'black\\';g.font=\\'28px Arial\\';g.fillText(\\'Game over: \\'+score,70,230)}\\nfunction step(){frames++;bird.update();pipes.forEach(p=>{p.update();if(p.x===40)score++});pipes=pipes.filter(p=>p.x>-60);\\ng.fillStyle=\\'#9be\\';g.fillRect(0,0,320,480);pipes.forEach(p=>p.draw(g));bird.draw(g);g.fillStyle=\\'#fff\\';g.font=\\'24px Arial\\';g.fillText(\\'Score \\'+score,10,30);\\nif(bird.y>470||bird.y<0||pipes.some(p=>p.hits(bird)))end()}\\nbtn.addEventListener(\\'click\\',start);\\ndocument.addEventListener(\\'keydown\\',e=>{if((e.key===\\' \\'||e.key===\\'ArrowUp\\')&&timer){e.preventDefault();bird.flap()}});\\ncanvas.addEventListener(\\'click\\',()=>{if(timer)bird.flap();else start()});\\ng.font=\\'20px Arial\\';g.fillText(\\'Press Start\\',110,230);\\n</script></body></html>')",
        ],
        "answer": "./output/141/flappy.html",
    },
    "sliding-square": {
        "why": "a square slides round and round and jumps at a click",
        "cells": [
            "from pathlib import Path\nPath('output/141').mkdir(parents=True, exist_ok=True)\nPath('output/141/index.html').write_text('<!doctype html><canvas id=\"c\" width=\"400\" height=\"400\"></canvas><script>\\nconst pen = document.getElementById(\\'c\\').getContext(\\'2d\\'); let x = 0, y = 200;\\naddEventListener(\\'click\\', () => { y = (y + 61) % 380; });\\n(function step() { x = (x + 3) % 400; pen.clearRect(0, 0, 400, 400); pen.fillRect(x, y, 20, 20); requestAnimationFrame(step); })();\\n</script>', encoding='utf-8')",
        ],
        "answer": "./output/141/index.html",
    },
    "square-that-leaves": {
        "why": "a square slides out of the canvas and comes back at a click",
        "cells": [
            "from pathlib import Path\nPath('output/141').mkdir(parents=True, exist_ok=True)\nPath('output/141/index.html').write_text('<!doctype html><canvas id=\"c\" width=\"400\" height=\"400\"></canvas><script>\\nconst pen = document.getElementById(\\'c\\').getContext(\\'2d\\'); let x = 0, y = 200;\\naddEventListener(\\'click\\', () => { x = 0; y = (y + 61) % 380; });\\n(function step() { x = x + 3; pen.clearRect(0, 0, 400, 400); pen.fillRect(x, y, 20, 20); requestAnimationFrame(step); })();\\n</script>', encoding='utf-8')",
        ],
        "answer": "./output/141/index.html",
    },
}
GAPS = {
    "no-pipes": "A bird that nobody steers well meets the ground before a pipe in many right games: that pipes come is not seen.",
    "square-that-leaves": "That the picture comes to a standstill is seen; that a bird, a pipe and a collision did it is not.",
}
LEFT_OUT = {
    "invisible-text": "a game on a canvas is asked for: its page need show no text",
    "change-word": "no wording is asked for",
    "blank-area": "it takes the hint below the game away, which is not asked for",
}
