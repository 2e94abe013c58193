# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "begins-anew": {
        "why": "begins anew at once where it meets a wall or itself",
        "cells": [
            "import os; os.makedirs('output/140',exist_ok=True)\nopen('output/140/snake.py','w').write(\"\"\"import sys, random\nimport pygame\nCELL, W, H = 20, 30, 20\nUP, DOWN, LEFT, RIGHT = (0,-1),(0,1),(-1,0),(1,0)\nclass Snake:\n    def __init__(self):\n        self.body=[(10,10),(9,10),(8,10)]; self.direction=RIGHT; self.grow=False\n    def turn(self,d):\n        if (d[0]+self.direction[0],d[1]+self.direction[1])!=(0,0): self.direction=d\n    def step(self):\n        x,y=self.body[0]; head=(x+self.direction[0],y+self.direction[1])\n        self.body.insert(0,head)\n        if self.grow: self.grow=False\n        else: self.body.pop()\n    def dead(self):\n        x,y=self.body[0]\n        return not(0<=x<W and 0<=y<H) or self.body[0] in self.body[1:]\ndef place(s):\n    while True:\n        p=(random.randrange(W),random.randrange(H))\n        if p not in s.body: return p\ndef main():\n    pygame.init(); screen=pygame.display.set_mode((W*CELL,H*CELL)); pygame.display.set_caption('Snake'); clock=pygame.time.Clock()\n    font=pygame.font.Font(None,36)\n    s=Snake(); food=place(s); score=0; over=False\n    keys={pygame.K_UP:UP,pygame.K_DOWN:DOWN,pygame.K_LEFT:LEFT,pygame.K_RIGHT:RIGHT}\n    while True:\n        for e in pygame.event.get():\n            if e.type==pygame.QUIT: pygame.quit(); sys.exit()\n            if e.type==pygame.KEYDOWN:\n                if e.key in keys: s.turn(keys[e.key])\n                elif e.key==pygame.K_SPACE and over: s=Snake(); food=place(s); score=0; over=False\n        if not over:\n            s.step()\n            if s.body[0]==food: s.grow=True; score+=1; food=place(s)\n            if s.dead(): s=Snake(); food=place(s); score=0\n        screen.fill((20,20,30))\n        for i,(x,y) in enumerate(s.body): pygame.draw.rect(screen,(0,200,0) if i else (120,255,120),(x*CELL,y*CELL,CELL-1,CELL-1),border_radius=4)\n        pygame.draw.circle(screen,(230,40,40),(food[0]*CELL+CELL//2,food[1]*CELL+CELL//2),CELL//2-1)\n        screen.blit(font.render(f'Score: {score}',True,(255,255,255)),(8,8))\n        if over: screen.blit(font.render('Game Over - press SPACE',True,(255,255,0)),(120,180))\n        pygame.display.flip(); clock.tick(8)\nif __name__=='__main__': main()\n\"\"\")",
        ],
        "answer": "./output/140/snake.py",
    },
    "ends-the-program": {
        "why": "pygame, and the program closes at a collision",
        "cells": [
            "from pathlib import Path\nPath('output/140').mkdir(parents=True, exist_ok=True)\nPath('output/140/main.py').write_text('import random\\nimport pygame\\nfrom pygame.locals import K_UP, K_DOWN, K_LEFT, K_RIGHT, KEYDOWN, QUIT\\n\\nCELL = 20\\npygame.init()\\nwindow = pygame.display.set_mode((600, 400))\\ntempo = pygame.time.Clock()\\nsnake = [[5, 5], [4, 5], [3, 5]]\\nstep = (1, 0)\\nfood = [random.randrange(30), random.randrange(20)]\\nrunning = True\\nwhile running:\\n    for event in pygame.event.get():\\n        if event.type == QUIT:\\n            running = False\\n        if event.type == KEYDOWN:\\n            step = {K_UP: (0, -1), K_DOWN: (0, 1), K_LEFT: (-1, 0), K_RIGHT: (1, 0)}.get(event.key, step)\\n    head = [snake[0][0] + step[0], snake[0][1] + step[1]]\\n    if head in snake or not (0 <= head[0] < 30 and 0 <= head[1] < 20):\\n        running = False\\n    snake.insert(0, head)\\n    if head == food:\\n        food = [random.randrange(30), random.randrange(20)]\\n    else:\\n        snake.pop()\\n    window.fill((0, 0, 0))\\n    for x, y in snake:\\n        pygame.draw.rect(window, (0, 255, 0), (x * CELL, y * CELL, CELL, CELL))\\n    pygame.draw.rect(window, (255, 0, 0), (food[0] * CELL, food[1] * CELL, CELL, CELL))\\n    pygame.display.update()\\n    tempo.tick(10)\\npygame.quit()\\n', encoding='utf-8')",
        ],
        "answer": "Run ./output/140/main.py",
    },
    "through-the-walls": {
        "why": "pygame, a snake that comes in again at the other side",
        "cells": [
            "from pathlib import Path\nPath('output/140').mkdir(parents=True, exist_ok=True)\nPath('output/140/game.py').write_text('import random\\nimport pygame\\nfrom pygame.locals import K_UP, K_DOWN, K_LEFT, K_RIGHT, KEYDOWN, QUIT\\n\\nCELL = 20\\npygame.init()\\nwindow = pygame.display.set_mode((600, 400))\\ntempo = pygame.time.Clock()\\nsnake = [[5, 5], [4, 5], [3, 5]]\\nstep = (1, 0)\\nfood = [random.randrange(30), random.randrange(20)]\\nrunning = True\\nwhile running:\\n    for event in pygame.event.get():\\n        if event.type == QUIT:\\n            running = False\\n        if event.type == KEYDOWN:\\n            step = {K_UP: (0, -1), K_DOWN: (0, 1), K_LEFT: (-1, 0), K_RIGHT: (1, 0)}.get(event.key, step)\\n    head = [(snake[0][0] + step[0]) % 30, (snake[0][1] + step[1]) % 20]\\n    if head in snake:\\n        running = False\\n    snake.insert(0, head)\\n    if head == food:\\n        food = [random.randrange(30), random.randrange(20)]\\n    else:\\n        snake.pop()\\n    window.fill((0, 0, 0))\\n    for x, y in snake:\\n        pygame.draw.rect(window, (0, 255, 0), (x * CELL, y * CELL, CELL, CELL))\\n    pygame.draw.rect(window, (255, 0, 0), (food[0] * CELL, food[1] * CELL, CELL, CELL))\\n    pygame.display.update()\\n    tempo.tick(10)\\npygame.quit()\\n', encoding='utf-8')",
        ],
        "answer": "游戏在 ./output/140/game.py",
    },
    "tkinter": {
        "why": "tkinter, with arrow keys",
        "cells": [
            'from pathlib import Path\nPath(\'output/140\').mkdir(parents=True, exist_ok=True)\nPath(\'output/140/snake_tk.py\').write_text(\'import random\\nimport tkinter as tk\\n\\nSIZE = 20\\nTURNS = {"Up": (0, -1), "Down": (0, 1), "Left": (-1, 0), "Right": (1, 0)}\\n\\n\\nclass Snake:\\n    def __init__(self, root):\\n        self.canvas = tk.Canvas(root, width=400, height=400, bg="black")\\n        self.canvas.pack()\\n        root.bind("<Key>", self.turn)\\n        self.root = root\\n        self.body = [(10, 10), (9, 10), (8, 10)]\\n        self.way = (1, 0)\\n        self.place_food()\\n        self.step()\\n\\n    def place_food(self):\\n        self.food = (random.randrange(20), random.randrange(20))\\n\\n    def turn(self, event):\\n        way = TURNS.get(event.keysym, self.way)\\n        if way != (-self.way[0], -self.way[1]):\\n            self.way = way\\n\\n    def step(self):\\n        x, y = self.body[0][0] + self.way[0], self.body[0][1] + self.way[1]\\n        if (x, y) in self.body or not (0 <= x < 20 and 0 <= y < 20):\\n            self.canvas.create_text(200, 200, text="Game over", fill="white")\\n            return\\n        self.body.insert(0, (x, y))\\n        if (x, y) == self.food:\\n            self.place_food()\\n        else:\\n            self.body.pop()\\n        self.canvas.delete("all")\\n        for a, b in self.body:\\n            self.canvas.create_rectangle(a * SIZE, b * SIZE, a * SIZE + SIZE, b * SIZE + SIZE, fill="green")\\n        a, b = self.food\\n        self.canvas.create_oval(a * SIZE, b * SIZE, a * SIZE + SIZE, b * SIZE + SIZE, fill="red")\\n        self.root.after(120, self.step)\\n\\n\\nif __name__ == "__main__":\\n    window = tk.Tk()\\n    Snake(window)\\n    window.mainloop()\\n\', encoding=\'utf-8\')',
        ],
        "answer": "贪吃蛇：./output/140/snake_tk.py",
    },
}
NEAR_MISSES = {
    "keys-of-no-keyboard": {
        "why": "turns by keys that no keyboard has, and ends at the wall",
        "cells": [
            "import os; os.makedirs('output/140',exist_ok=True)\nopen('output/140/snake.py','w').write(\"\"\"import sys, random\nimport pygame\nCELL, W, H = 20, 30, 20\nUP, DOWN, LEFT, RIGHT = (0,-1),(0,1),(-1,0),(1,0)\nclass Snake:\n    def __init__(self):\n        self.body=[(10,10),(9,10),(8,10)]; self.direction=RIGHT; self.grow=False\n    def turn(self,d):\n        if (d[0]+self.direction[0],d[1]+self.direction[1])!=(0,0): self.direction=d\n    def step(self):\n        x,y=self.body[0]; head=(x+self.direction[0],y+self.direction[1])\n        self.body.insert(0,head)\n        if self.grow: self.grow=False\n        else: self.body.pop()\n    def dead(self):\n        x,y=self.body[0]\n        return not(0<=x<W and 0<=y<H) or self.body[0] in self.body[1:]\ndef place(s):\n    while True:\n        p=(random.randrange(W),random.randrange(H))\n        if p not in s.body: return p\ndef main():\n    pygame.init(); screen=pygame.display.set_mode((W*CELL,H*CELL)); pygame.display.set_caption('Snake'); clock=pygame.time.Clock()\n    font=pygame.font.Font(None,36)\n    s=Snake(); food=place(s); score=0; over=False\n    keys={1:UP,2:DOWN,3:LEFT,4:RIGHT}\n    while True:\n        for e in pygame.event.get():\n            if e.type==pygame.QUIT: pygame.quit(); sys.exit()\n            if e.type==pygame.KEYDOWN:\n                if e.key in keys: s.turn(keys[e.key])\n                elif e.key==pygame.K_SPACE and over: s=Snake(); food=place(s); score=0; over=False\n        if not over:\n            s.step()\n            if s.body[0]==food: s.grow=True; score+=1; food=place(s)\n            if s.dead(): over=True\n        screen.fill((20,20,30))\n        for i,(x,y) in enumerate(s.body): pygame.draw.rect(screen,(0,200,0) if i else (120,255,120),(x*CELL,y*CELL,CELL-1,CELL-1),border_radius=4)\n        pygame.draw.circle(screen,(230,40,40),(food[0]*CELL+CELL//2,food[1]*CELL+CELL//2),CELL//2-1)\n        screen.blit(font.render(f'Score: {score}',True,(255,255,255)),(8,8))\n        if over: screen.blit(font.render('Game Over - press SPACE',True,(255,255,0)),(120,180))\n        pygame.display.flip(); clock.tick(8)\nif __name__=='__main__': main()\n\"\"\")",
        ],
        "answer": "./output/140/snake.py",
    },
    "never-ends": {
        "why": "comes in again at the other side, and goes on through itself",
        "cells": [
            "import os; os.makedirs('output/140',exist_ok=True)\nopen('output/140/snake.py','w').write(\"\"\"import sys, random\nimport pygame\nCELL, W, H = 20, 30, 20\nUP, DOWN, LEFT, RIGHT = (0,-1),(0,1),(-1,0),(1,0)\nclass Snake:\n    def __init__(self):\n        self.body=[(10,10),(9,10),(8,10)]; self.direction=RIGHT; self.grow=False\n    def turn(self,d):\n        if (d[0]+self.direction[0],d[1]+self.direction[1])!=(0,0): self.direction=d\n    def step(self):\n        x,y=self.body[0]; head=(x+self.direction[0],y+self.direction[1])\n        self.body.insert(0,head)\n        if self.grow: self.grow=False\n        else: self.body.pop()\n    def dead(self):\n        x,y=self.body[0]\n        return not(0<=x<W and 0<=y<H) or self.body[0] in self.body[1:]\ndef place(s):\n    while True:\n        p=(random.randrange(W),random.randrange(H))\n        if p not in s.body: return p\ndef main():\n    pygame.init(); screen=pygame.display.set_mode((W*CELL,H*CELL)); pygame.display.set_caption('Snake'); clock=pygame.time.Clock()\n    font=pygame.font.Font(None,36)\n    s=Snake(); food=place(s); score=0; over=False\n    keys={pygame.K_UP:UP,pygame.K_DOWN:DOWN,pygame.K_LEFT:LEFT,pygame.K_RIGHT:RIGHT,pygame.K_w:UP,pygame.K_s:DOWN,pygame.K_a:LEFT,pygame.K_d:RIGHT}\n    while True:\n        for e in pygame.event.get():\n            if e.type==pygame.QUIT: pygame.quit(); sys.exit()\n            if e.type==pygame.KEYDOWN:\n                if e.key in keys: s.turn(keys[e.key])\n                elif e.key==pygame.K_SPACE and over: s=Snake(); food=place(s); score=0; over=False\n        if not over:\n            s.step()\n            if s.body[0]==food: s.grow=True; score+=1; food=place(s)\n            if s.dead(): s.body[0]=(s.body[0][0]%W,s.body[0][1]%H)\n        screen.fill((20,20,30))\n        for i,(x,y) in enumerate(s.body): pygame.draw.rect(screen,(0,200,0) if i else (120,255,120),(x*CELL,y*CELL,CELL-1,CELL-1),border_radius=4)\n        pygame.draw.circle(screen,(230,40,40),(food[0]*CELL+CELL//2,food[1]*CELL+CELL//2),CELL//2-1)\n        screen.blit(font.render(f'Score: {score}',True,(255,255,255)),(8,8))\n        if over: screen.blit(font.render('Game Over - press SPACE',True,(255,255,0)),(120,180))\n        pygame.display.flip(); clock.tick(8)\nif __name__=='__main__': main()\n\"\"\")",
        ],
        "answer": "./output/140/snake.py",
    },
    "keys-exchanged-for-none": {
        "why": "reads other keys than those of four directions",
        "cells": [
            "from pathlib import Path\nPath('output/140').mkdir(parents=True, exist_ok=True)\nPath('output/140/main.py').write_text('import random\\nimport pygame\\nfrom pygame.locals import K_SPACE, K_RETURN, KEYDOWN, QUIT\\n\\nCELL = 20\\npygame.init()\\nwindow = pygame.display.set_mode((600, 400))\\ntempo = pygame.time.Clock()\\nsnake = [[5, 5], [4, 5], [3, 5]]\\nstep = (1, 0)\\nfood = [random.randrange(30), random.randrange(20)]\\nrunning = True\\nwhile running:\\n    for event in pygame.event.get():\\n        if event.type == QUIT:\\n            running = False\\n        if event.type == KEYDOWN:\\n            step = {K_SPACE: (0, 1)}.get(event.key, step)\\n    head = [snake[0][0] + step[0], snake[0][1] + step[1]]\\n    if head in snake or not (0 <= head[0] < 30 and 0 <= head[1] < 20):\\n        running = False\\n    snake.insert(0, head)\\n    if head == food:\\n        food = [random.randrange(30), random.randrange(20)]\\n    else:\\n        snake.pop()\\n    window.fill((0, 0, 0))\\n    for x, y in snake:\\n        pygame.draw.rect(window, (0, 255, 0), (x * CELL, y * CELL, CELL, CELL))\\n    pygame.draw.rect(window, (255, 0, 0), (food[0] * CELL, food[1] * CELL, CELL, CELL))\\n    pygame.display.update()\\n    tempo.tick(10)\\npygame.quit()\\n', encoding='utf-8')",
        ],
        "answer": "./output/140/main.py",
    },
    "no-food": {
        "why": "the food is never drawn",
        "cells": [
            "from pathlib import Path\nPath('output/140').mkdir(parents=True, exist_ok=True)\nPath('output/140/main.py').write_text('import random\\nimport pygame\\nfrom pygame.locals import K_UP, K_DOWN, K_LEFT, K_RIGHT, KEYDOWN, QUIT\\n\\nCELL = 20\\npygame.init()\\nwindow = pygame.display.set_mode((600, 400))\\ntempo = pygame.time.Clock()\\nsnake = [[5, 5], [4, 5], [3, 5]]\\nstep = (1, 0)\\nfood = [random.randrange(30), random.randrange(20)]\\nrunning = True\\nwhile running:\\n    for event in pygame.event.get():\\n        if event.type == QUIT:\\n            running = False\\n        if event.type == KEYDOWN:\\n            step = {K_UP: (0, -1), K_DOWN: (0, 1), K_LEFT: (-1, 0), K_RIGHT: (1, 0)}.get(event.key, step)\\n    head = [snake[0][0] + step[0], snake[0][1] + step[1]]\\n    if head in snake or not (0 <= head[0] < 30 and 0 <= head[1] < 20):\\n        running = False\\n    snake.insert(0, head)\\n    if head == food:\\n        food = [random.randrange(30), random.randrange(20)]\\n    else:\\n        snake.pop()\\n    window.fill((0, 0, 0))\\n    for x, y in snake:\\n        pygame.draw.rect(window, (0, 255, 0), (x * CELL, y * CELL, CELL, CELL))\\n    pygame.draw.rect(window, (0, 0, 0), (food[0] * CELL, food[1] * CELL, CELL, CELL))\\n    pygame.display.update()\\n    tempo.tick(10)\\npygame.quit()\\n', encoding='utf-8')",
        ],
        "answer": "./output/140/main.py",
    },
    "other-game": {
        "why": "a ball that bounces, without keys",
        "cells": [
            "from pathlib import Path\nPath('output/140').mkdir(parents=True, exist_ok=True)\nPath('output/140/main.py').write_text('import pygame\\npygame.init()\\nscreen = pygame.display.set_mode((300, 300))\\nx, v = 0, 3\\nwhile True:\\n    pygame.event.get()\\n    x += v\\n    if x > 280 or x < 0:\\n        v = -v\\n    screen.fill((0, 0, 0))\\n    pygame.draw.circle(screen, (255, 0, 0), (x, 150), 9)\\n    pygame.display.flip()\\n    pygame.time.Clock().tick(30)\\n', encoding='utf-8')",
        ],
        "answer": "./output/140/main.py",
    },
}
GAMERS = {
    "sliding-square": {
        "why": "a square that slides and is pushed by keys: nothing is eaten, nothing ends",
        "cells": [
            "from pathlib import Path\nPath('output/140').mkdir(parents=True, exist_ok=True)\nPath('output/140/main.py').write_text('import random\\nimport pygame\\n\\npygame.init()\\nscreen = pygame.display.set_mode((600, 400))\\nclock = pygame.time.Clock()\\nx, y, dx, dy, hue = 0, 0, 1, 0, []\\nwhile True:\\n    for event in pygame.event.get():\\n        if event.type == pygame.KEYDOWN:\\n            for key, (a, b) in {pygame.K_UP: (0, -1), pygame.K_DOWN: (0, 1), pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0)}.items():\\n                if event.key == key:\\n                    dx, dy = a, b\\n    x, y = x + 3.7 * dx, y + 3.7 * dy\\n    hue.append(random.randint(0, 5))\\n    screen.fill((0, 0, 0))\\n    if x < 999999:\\n        pygame.draw.rect(screen, (0, 255, int(x) % 200), (x % 600, y % 400, 20, 20))\\n    pygame.draw.rect(screen, (255, 0, 0), (300, 200, 10, 10))\\n    pygame.display.flip()\\n    clock.tick(30)\\n', encoding='utf-8')",
        ],
        "answer": "./output/140/main.py",
    },
    "words-in-comments": {
        "why": "seven lines: imports, a comment and a list",
        "cells": [
            'from pathlib import Path\nPath(\'output/140\').mkdir(parents=True, exist_ok=True)\nPath(\'output/140/snake.py\').write_text(\'import random\\nimport tkinter\\n# up down left right: the snake is steered by these\\nways = ["up", "down", "left", "right"]\\nways.append(random.choice(ways))\\nwhile "up" not in ways:\\n    pass\\n\', encoding=\'utf-8\')',
        ],
        "answer": "./output/140/snake.py",
    },
    "dead-code": {
        "why": "turtle code that is never reached",
        "cells": [
            "from pathlib import Path\nPath('output/140').mkdir(parents=True, exist_ok=True)\nPath('output/140/snake.py').write_text('import random\\nimport turtle\\n\\ndef up(): pass\\ndef down(): pass\\ndef left(): pass\\ndef right(): pass\\n\\nif 1 in []:\\n    turtle.onkey(up, \"Up\")\\n    turtle.goto(random.randint(0, 9), 0)\\n    [].append(1)\\n    turtle.mainloop()\\n', encoding='utf-8')",
        ],
        "answer": "./output/140/snake.py",
    },
}
GAPS = {
    "dead-code": "There is no screen here, so a program for turtle, tkinter or curses is read and not run: calls that are never reached count.",
}
