# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""The game of Snake in Python, read and, where it uses pygame, played without a screen."""

from runner.checks import Case
from runner.checks.programs import games

INDEX = "140"
TITLE = "贪吃蛇"
CATEGORY = "software"
LANGUAGE = "zh"
OUTPUTS = ["140"]
STRENGTH = "partial"
NOTE = "A pygame program is played: it must run, show three colours, move by itself, answer to keys and come to an end, or begin anew, when nobody steers; a snake that goes through the walls must end where it is turned upon itself, if it can be turned so. Whether it eats and grows is not looked at in play, only whether its source provides for it. One for another screen (turtle, tkinter, curses) cannot be shown here, where there is no screen, and is read only: it must be whole Python with bound keys and drawing, that steers in four directions, feeds, grows and ends."
MOST_FRAMES = 600  # of play without a hand
STEERED = 240  # of play with keys
TURNED_AT = 40  # frame at which the snake is turned upon itself
KEYS = ["RIGHT", "DOWN", "LEFT", "UP"]


def check(case: Case) -> None:
    sources = {path: path.read_text("utf-8", "replace") for path in games.scripts(case, "140")}
    trees = {path: parsed(case, path, text) for path, text in sources.items()}
    whole = "\n".join(sources.values())
    read(case, [tree for tree in trees.values() if tree is not None])
    if "pygame" in whole:
        main = max(sources, key=lambda p: ("__main__" in sources[p], len(sources[p])))
        watch(case, str(main.relative_to(case.output)))


def parsed(case: Case, path, text: str):
    import ast

    name = str(path.relative_to(case.output))
    if not text:
        return None
    tree, problem = None, ""
    with case.reading(name, "Python"):  # even what ends this process is the file's doing
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            problem = str(error)[:80] or type(error).__name__
    case.expect("it is Python", tree is not None, "valid Python", problem or "valid", name)
    return tree


def read(case: Case, trees: list) -> None:
    """Facts that any game of snake has, whatever draws it; comments count for nothing."""
    import ast
    import re

    nodes = [node for tree in trees for node in ast.walk(tree)]
    low = spoken(nodes)
    directions = [
        d
        for d in ("up", "down", "left", "right")
        if re.search(rf"(?<![a-z]){d}(?![a-z])|k_{d}", low)
    ]
    letters = [d for d in "wasd" if re.search(rf"['\"]{d}['\"]", low)]
    screens = ("pygame", "turtle", "tkinter", "curses", "pyglet", "arcade")
    imported = {
        name.split(".")[0]
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        )
    }
    called = [n.func for n in nodes if isinstance(n, ast.Call)]
    calls = {f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", "") for f in called}
    signs = {
        "it draws on a screen": any(s in imported for s in screens),
        "it steers in four directions": len(directions) == 4 or len(letters) == 4,
        "it goes on": any(isinstance(n, ast.While) for n in nodes)
        or bool(calls & {"after", "ontimer", "mainloop", "run"}),
        "food appears at random": bool(imported & {"random", "secrets", "numpy"})
        and bool(
            calls
            & {
                "randint",
                "randrange",
                "choice",
                "random",
                "sample",
                "integers",
                "randbelow",
                "goto",
            }
        ),
        "keys are bound to it": "pygame" in imported or bool(calls & BINDING),
        "it is drawn": "pygame" in imported or bool(calls & DRAWING),
        "it has parts": sum(isinstance(n, ast.FunctionDef) for n in nodes) >= 2
        or sum(isinstance(n, ast.stmt) for n in nodes) >= 30,
        "the snake is a growing list": bool(calls & {"insert", "append", "appendleft", "extend"}),
        "it can end": any(
            isinstance(n, ast.Compare)
            and any(
                isinstance(o, ast.In | ast.NotIn | ast.Lt | ast.Gt | ast.GtE | ast.LtE)
                for o in n.ops
            )
            for n in nodes
        ),
    }
    for name, holds in signs.items():
        case.expect(
            name,
            holds,
            "so",
            "so" if holds else "no sign of it",
            "140",
            f"The program shows no sign that {name}.",
        )


BINDING = {
    *("bind", "bind_all", "onkey", "onkeypress", "onkeyrelease", "getch", "getkey", "get_wch"),
    *("on_press", "add_hotkey", "push_handlers", "event", "is_pressed", "Listener"),
}
DRAWING = {
    *("create_rectangle", "create_oval", "create_polygon", "create_image", "coords", "move"),
    *("goto", "stamp", "setposition", "setpos", "setx", "sety", "forward", "dot", "begin_fill"),
    *("addch", "addstr", "draw", "draw_rectangle_filled", "Rectangle", "configure", "config"),
}


def spoken(nodes: list) -> str:
    """Names and texts of the program in lower case; a text that stands alone is a comment."""
    import ast

    alone = {id(n.value) for n in nodes if isinstance(n, ast.Expr)}
    said = []
    for node in nodes:
        if isinstance(node, ast.Name):
            said.append(node.id)
        elif isinstance(node, ast.Attribute):
            said.append(node.attr)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            said.append(node.name)
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone
        ):
            said.append(repr(node.value))
    return "\n".join(said).lower()


def watch(case: Case, name: str) -> None:
    """Played twice, without keys and with them."""
    plan = [(10 + 6 * n, key) for n, key in enumerate([*KEYS[1:], *KEYS] * 3)]
    start = [(2, "SPACE"), (3, "RETURN"), (5, "RIGHT")]
    idle = games.play(case, name, start, MOST_FRAMES)
    steered = games.play(case, name, [*start, *plan], STEERED)
    ends = idle.has_ended(MOST_FRAMES) or (idle.goes_round and ends_by_itself(case, name, start))
    case.expect(
        "it runs",
        not idle.error,
        "no error",
        idle.error or "none",
        name,
        f"{name} ends with {idle.error}.",
    )
    colours = max(idle.colours, steered.colours)
    case.expect("it draws ground, snake and food", colours >= 3, "3 colours or more", colours, name)
    case.expect(
        "it ends",
        ends,
        "a standstill, an end or a new beginning at a wall, or where the snake meets itself",
        "so" if ends else f"on and on for {len(idle.frames)} frames",
        name,
        f"{name} goes on and on: no collision ends it.",
    )
    case.expect("it moves by itself", idle.distinct >= 5, "5 pictures or more", idle.distinct, name)
    differ = sum(a != b for a, b in zip(idle.frames, steered.frames, strict=False))
    longer = abs(len(idle.frames[:STEERED]) - len(steered.frames))
    case.expect(
        "it answers to keys",
        differ + longer >= 5,
        "another course of play with keys than without",
        f"{differ} frames differ",
        name,
        f"{name} plays the same with keys as without.",
    )


def ends_by_itself(case: Case, name: str, start: list) -> bool:
    """True if a snake that goes through the walls ends where it is turned upon itself.

    Turned about at once, or by two keys between two steps; one that cannot be turned so is not
    judged by it.
    """
    least = TURNED_AT + 2 * games.STILL
    turns = [["LEFT"], ["UP", "LEFT"], ["UP"]]
    about, twice, once = (
        games.play(case, name, [*start, *((TURNED_AT, key) for key in keys)], least + 60)
        for keys in turns
    )
    if about.has_ended(least + 60) or twice.has_ended(least + 60):
        return True
    first = next(
        (n for n in range(TURNED_AT, len(once.frames)) if once.frames[n] != once.frames[n - 1]), 0
    )
    return twice.frames[: first + 1] == once.frames[: first + 1]


REFERENCE = {
    "cells": [
        '''
from pathlib import Path

folder = Path("output/140")
folder.mkdir(parents=True, exist_ok=True)
program = """
import random
import sys

import pygame

SIZE, COLUMNS, ROWS = 24, 25, 20
SPEED = 8  # steps a second
TURNS = {
    pygame.K_UP: (0, -1), pygame.K_DOWN: (0, 1), pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0),
    pygame.K_w: (0, -1), pygame.K_s: (0, 1), pygame.K_a: (-1, 0), pygame.K_d: (1, 0),
}


class Game:
    def __init__(self):
        self.reset()

    def reset(self):
        self.body = [(COLUMNS // 2 - n, ROWS // 2) for n in range(3)]
        self.direction = (1, 0)
        self.food = self.place_food()
        self.score = 0
        self.over = False

    def place_food(self):
        free = [(x, y) for x in range(COLUMNS) for y in range(ROWS) if (x, y) not in self.body]
        return random.choice(free)

    def turn(self, key):
        dx, dy = TURNS[key]
        if (dx, dy) != (-self.direction[0], -self.direction[1]):
            self.direction = (dx, dy)

    def step(self):
        if self.over:
            return
        x, y = self.body[0]
        head = (x + self.direction[0], y + self.direction[1])
        inside = 0 <= head[0] < COLUMNS and 0 <= head[1] < ROWS
        if not inside or head in self.body[:-1]:
            self.over = True
            return
        self.body.insert(0, head)
        if head == self.food:
            self.score += 1
            self.food = self.place_food()
        else:
            self.body.pop()

    def draw(self, screen, font):
        screen.fill((20, 24, 28))
        for x, y in self.body:
            pygame.draw.rect(screen, (80, 200, 120), (x * SIZE + 1, y * SIZE + 1, SIZE - 2, SIZE - 2))
        x, y = self.food
        pygame.draw.rect(screen, (230, 80, 80), (x * SIZE + 3, y * SIZE + 3, SIZE - 6, SIZE - 6))
        text = f"Score {self.score}" + ("   Game over: space starts again" if self.over else "")
        screen.blit(font.render(text, True, (240, 240, 240)), (8, 6))


def main():
    pygame.init()
    screen = pygame.display.set_mode((COLUMNS * SIZE, ROWS * SIZE))
    pygame.display.set_caption("Snake")
    font = pygame.font.Font(None, 26)
    clock = pygame.time.Clock()
    game = Game()
    while True:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                pygame.quit()
                sys.exit()
            if event.type == pygame.KEYDOWN:
                if event.key in TURNS:
                    game.turn(event.key)
                elif event.key == pygame.K_SPACE and game.over:
                    game.reset()
        game.step()
        game.draw(screen, font)
        pygame.display.flip()
        clock.tick(SPEED)


if __name__ == "__main__":
    main()
"""
(folder / "snake.py").write_text(program.lstrip(), encoding="utf-8")
compile(program, "snake.py", "exec")
print(sorted(p.name for p in folder.iterdir()))
''',
    ],
    "answer": "贪吃蛇已保存到 ./output/140/snake.py，用 python snake.py 运行（需要 pygame）；方向键或 WASD 控制方向。",
}
WRONG = {
    "folder-only": {
        "why": "makes the folder and writes no program",
        "cells": ["import os\nos.makedirs('output/140', exist_ok=True)"],
        "answer": "贪吃蛇已经写好，保存在 ./output/140/。",
    },
    "crashes-when-it-eats-nothing": {
        "why": "uses a name that is not defined, so the first step ends the game",
        "cells": [
            '''
import os
os.makedirs("output/140", exist_ok=True)
open("output/140/snake.py", "w").write("""
import random
import pygame
pygame.init()
screen = pygame.display.set_mode((400, 400))
clock = pygame.time.Clock()
snake = [(5, 5), (4, 5)]
moves = {pygame.K_UP: (0, -1), pygame.K_DOWN: (0, 1), pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0)}
direction = (1, 0)
food = (random.randrange(20), random.randrange(20))
while True:
    for event in pygame.event.get():
        if event.type == pygame.KEYDOWN and event.key in moves:
            direction = moves[event.key]
    head = (snake[0][0] + direction[0], snake[0][1] + direction[1])
    if head in snake or not 0 <= head[0] < 20:
        break
    snake.insert(0, head)
    if head != food:
        snake.pop()
    screen.fill((0, 0, 0))
    for x, y in snake:
        pygame.draw.rect(screen, GREEN, (x * 20, y * 20, 20, 20))
    pygame.display.flip()
    clock.tick(10)
""")
''',
        ],
        "answer": "贪吃蛇已保存到 ./output/140/snake.py。",
    },
    "never-turns": {
        "why": "reads the keys and forgets to turn the snake",
        "cells": [
            '''
import os
os.makedirs("output/140", exist_ok=True)
open("output/140/snake.py", "w").write("""
import random
import pygame
pygame.init()
screen = pygame.display.set_mode((400, 400))
clock = pygame.time.Clock()
snake = [(5, 5), (4, 5)]
moves = {pygame.K_UP: (0, -1), pygame.K_DOWN: (0, 1), pygame.K_LEFT: (-1, 0), pygame.K_RIGHT: (1, 0)}
direction = (1, 0)
food = (random.randrange(20), random.randrange(20))
while True:
    for event in pygame.event.get():
        if event.type == pygame.KEYDOWN and event.key in moves:
            turn = moves[event.key]
    head = ((snake[0][0] + direction[0]) % 20, snake[0][1] + direction[1])
    if head in snake:
        break
    snake.insert(0, head)
    if head != food:
        snake.pop()
    screen.fill((0, 0, 0))
    for x, y in snake:
        pygame.draw.rect(screen, (0, 200, 0), (x * 20, y * 20, 20, 20))
    pygame.display.flip()
    clock.tick(10)
""")
''',
        ],
        "answer": "贪吃蛇已保存到 ./output/140/snake.py。",
    },
}
