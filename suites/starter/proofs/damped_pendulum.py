# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "milliseconds-beside": {
        "why": "seconds, and milliseconds in brackets",
        "edits": {
            "print(f'crossing: {tight.t_events[0][0]:.4f}')": "print(f'crossing: {tight.t_events[0][0]:.4f}')\nprint('ms:', round(1000 * tight.t_events[0][0]))"
        },
        "answer": "First passage: t₁ ≈ «crossing» s («ms» ms).",
    },
    "runge-kutta-by-hand": {
        "why": "a solver of its own, the crossing by bisection, answers with a formula",
        "cells": [
            """
import math
g, L, c = 9.81, «length», «damping»
def f(y):
    return (y[1], -g / L * math.sin(y[0]) - c * y[1])
def step(y, h):
    k1 = f(y)
    k2 = f([a + h / 2 * b for a, b in zip(y, k1)])
    k3 = f([a + h / 2 * b for a, b in zip(y, k2)])
    k4 = f([a + h * b for a, b in zip(y, k3)])
    return [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
y = [math.radians(«degrees»), 0.0]
rows, crossing, h = [(0.0, *y)], None, 0.5 / 2000
for n in range(1, 21):
    for k in range(2000):
        new = step(y, h)
        if crossing is None and y[0] > 0 >= new[0]:
            lo, hi = 0, h
            for _ in range(60):
                mid = (lo + hi) / 2
                lo, hi = (mid, hi) if step(y, mid)[0] > 0 else (lo, mid)
            crossing = (n - 1) * 0.5 + k * h + lo
        y = new
    rows.append((n * 0.5, *y))
with open('output/pendulum.csv', 'w') as out:
    out.write('t,theta,omega\\n')
    out.writelines(f'{t:.1f},{a:.6f},{b:.6f}\\n' for t, a, b in rows)
print(f'crossing: {crossing:.4f}')
"""
        ],
        "answer": "First passage through the vertical: $t_1 \\approx «crossing»\\ \\mathrm{s}$",
    },
    "odeint": {
        "why": "odeint and brentq",
        "cells": [
            """
import numpy as np, pandas as pd
from scipy.integrate import odeint, solve_ivp
from scipy.optimize import brentq
f = lambda y, t: (y[1], -9.81 / «length» * np.sin(y[0]) - «damping» * y[1])
t = np.linspace(0, 10, 21)
y = odeint(f, (np.deg2rad(«degrees»), 0), t, rtol=1e-12, atol=1e-12)
pd.DataFrame({'t': t, 'theta': y[:, 0], 'omega': y[:, 1]}).round(6).to_csv('output/pendulum.csv', index=False)
s = solve_ivp(lambda t, y: f(y, t), (0, 10), (np.deg2rad(«degrees»), 0), rtol=1e-11, atol=1e-12, dense_output=True)
grid = np.linspace(0, 10, 2001)
v = s.sol(grid)[0]
i = np.argmax(v < 0)
print(f'crossing: {brentq(lambda x: s.sol(x)[0], grid[i-1], grid[i]):.4f}')
"""
        ],
        "answer": "The first time θ reaches 0 is **t = «crossing» s** (released from «degrees»° at t = 0).",
    },
    "about": {
        "why": "with an approximation sign and five decimals",
        "edits": {":.4f}')": ":.5f}')"},
        "answer": "The first passage happens at t ≈ «crossing» s.",
    },
    "bullet": {
        "why": "a labelled value",
        "answer": "**Results**\n- table: `output/pendulum.csv` (21 rows)\n- first time θ = 0: **«crossing» s**",
    },
    "with-velocity": {
        "why": "the velocity at that time too",
        "edits": {
            "print(f'crossing:": "print(f'speed: {tight.y_events[0][0][1]:.3f}')\nprint(f'crossing:"
        },
        "answer": "It first passes through the vertical at t = «crossing» s, moving at «speed» rad/s.",
    },
}
NEAR_MISSES = {
    "called-milliseconds": {
        "why": "the seconds called milliseconds",
        "answer": "It first passes through the vertical after «crossing» ms.",
    },
    "columns-exchanged": {
        "why": "angle and angular velocity exchanged",
        "edits": {
            "'theta': tight.y[0].round(6), 'omega': tight.y[1].round(6)": "'theta': tight.y[1].round(6), 'omega': tight.y[0].round(6)"
        },
    },
    "second-passage": {
        "why": "gives the second passage",
        "edits": {"tight.t_events[0][0]": "tight.t_events[0][1]"},
    },
    "undamped": {"why": "leaves the damping out", "edits": {"- c * y[1]]": "]"}},
    "two-decimals": {
        "why": "the time with one decimal only",
        "edits": {"[0][0]:.4f}": "[0][0]:.1f}"},
    },
    "without-the-start": {
        "why": "begins at 0.5 s",
        "edits": {"table.to_csv": "table = table[1:]\ntable.to_csv"},
    },
    "velocity-in-degrees": {
        "why": "omega in degrees per second",
        "edits": {"tight.y[1].round(6)": "np.degrees(tight.y[1]).round(6)"},
    },
    "rounder-g": {"why": "g = 9.8", "edits": {"g, L, c = 9.81": "g, L, c = 9.8"}},
    "half-the-angle": {
        "why": "starts at half the angle",
        "edits": {"np.radians(«degrees»)": "np.radians(«degrees») / 2"},
    },
    "every-second": {
        "why": "a row for every second only",
        "edits": {"np.arange(21) * 0.5": "np.arange(11) * 1.0"},
    },
    "milliseconds": {
        "why": "the time in milliseconds, called seconds",
        "edits": {"{tight.t_events[0][0]:.4f}": "{1000 * tight.t_events[0][0]:.4f}"},
    },
    "quarter-period": {
        "why": "a quarter of the small-angle period",
        "edits": {"{tight.t_events[0][0]:.4f}": "{np.pi / 2 * np.sqrt(L / g):.4f}"},
    },
}
