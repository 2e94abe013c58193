# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Solve the equation of a damped pendulum and tabulate it."""

import math
import random
from pathlib import Path

from runner.checks import Case
from runner.checks.data import tables
from runner.checks.text import answers, units

TITLE = "Damped pendulum"
CATEGORY = "maths"
QUERY = """
A pendulum of length «length» m with damping obeys
    θ'' = −(g / L) · sin θ − c · θ'
with g = 9.81 m/s², L = «length» m and c = «damping» 1/s. At t = 0 it is released at rest from θ = «degrees» degrees.

Solve this numerically (the angle is too large for the small-angle formula), accurately enough for five correct decimals.

Save ./output/pendulum.csv with the columns t, theta, omega and one row for each of t = 0.0, 0.5, 1.0, …, 10.0 s (21 rows in that order): theta in radians and omega = θ' in rad/s, both rounded to 6 decimals.

Also tell me the first time at which the pendulum passes through the vertical (θ = 0), in seconds with 4 decimals.
"""
INPUTS = []
OUTPUTS = ["pendulum.csv"]

GRAVITY = 9.81


def make_inputs(seed: int, data: Path) -> dict:
    rng = random.Random(seed)
    while True:
        parameters = {
            "length": round(rng.uniform(0.6, 1.9), 2),
            "damping": round(rng.uniform(0.08, 0.3), 2),
            "degrees": rng.randint(95, 150),
        }
        tenths = 10 * solve(**parameters)[3]
        if abs(tenths - round(tenths)) > 0.05:  # else one decimal of the time would do
            return parameters


def solve(length: float, damping: float, degrees: float):
    """The motion by a Runge-Kutta method of order 8, and when it first passes the vertical."""
    from scipy.integrate import solve_ivp

    def rates(_, state):
        theta, omega = state
        return omega, -GRAVITY / length * math.sin(theta) - damping * omega

    def height(_, state):
        return state[0]

    start = math.radians(degrees), 0.0
    times = [n / 2 for n in range(21)]
    options = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-12}
    motion = solve_ivp(rates, (0, 10), start, t_eval=times, events=height, **options)
    return times, motion.y[0], motion.y[1], float(motion.t_events[0][0])


def check(case: Case) -> None:
    table = tables.read(case, "pendulum.csv")
    p = case.parameters
    times, thetas, omegas, crossing = solve(p["length"], p["damping"], p["degrees"])
    expected = [
        {"t": t, "theta": round(float(theta), 6), "omega": round(float(omega), 6)}
        for t, theta, omega in zip(times, thetas, omegas, strict=True)
    ]
    tables.match(case, table, expected, tolerance={"t": 1e-6, "theta": 2e-5, "omega": 5e-5})
    text = answers.folded(case.answer)
    words = [word for word in ("first", "t1", "t_1") if word in text]
    words = words or ["vertical", "passes", "crosses"]
    answers.number_near(case, words, crossing, 0.00011, name="answer: first passage in s")
    units.expect_unit(case, "s", crossing, 0.00011, "answer: first passage")


REFERENCE = {
    "cells": [
        "import numpy as np\n"
        "from scipy.integrate import solve_ivp\n"
        "g, L, c = 9.81, «length», «damping»\n"
        "theta0 = np.radians(«degrees»)\n"
        "def rhs(t, y):\n"
        "    return [y[1], -g / L * np.sin(y[0]) - c * y[1]]\n"
        "def vertical(t, y):\n"
        "    return y[0]\n"
        "times = np.arange(21) * 0.5\n"
        "loose = solve_ivp(rhs, (0, 10), [theta0, 0], t_eval=times, rtol=1e-8, atol=1e-10)\n"
        "tight = solve_ivp(rhs, (0, 10), [theta0, 0], t_eval=times, rtol=1e-11, atol=1e-12, method='DOP853', events=vertical)\n"
        "print('largest change:', abs(loose.y - tight.y).max())",
        "import pandas as pd\n"
        "table = pd.DataFrame({'t': times, 'theta': tight.y[0].round(6), 'omega': tight.y[1].round(6)})\n"
        "table.to_csv('./output/pendulum.csv', index=False)\n"
        "print(table.head(3))\n"
        "print(f'crossing: {tight.t_events[0][0]:.4f}')",
    ],
    "answer": "The table is saved as ./output/pendulum.csv. The pendulum first passes through the vertical at t = «crossing» s.",
}
WRONG = {
    "small-angle": {
        "why": "replaces sin θ by θ",
        "cells": [
            "import numpy as np, pandas as pd\n"
            "from scipy.integrate import solve_ivp\n"
            "g, L, c = 9.81, «length», «damping»\n"
            "t = np.arange(21) * 0.5\n"
            "s = solve_ivp(lambda t, y: [y[1], -g / L * y[0] - c * y[1]], (0, 10), [np.radians(«degrees»), 0], t_eval=t, rtol=1e-10, atol=1e-12, events=lambda t, y: y[0])\n"
            "pd.DataFrame({'t': t, 'theta': s.y[0].round(6), 'omega': s.y[1].round(6)}).to_csv('./output/pendulum.csv', index=False)\n"
            "print(f'crossing: {s.t_events[0][0]:.4f}')"
        ],
        "answer": "Saved ./output/pendulum.csv; it first passes through the vertical at «crossing» s.",
    },
    "default-tolerance": {
        "why": "trusts the solver's default tolerance of 1e-3",
        "cells": [
            "import numpy as np, pandas as pd\n"
            "from scipy.integrate import solve_ivp\n"
            "g, L, c = 9.81, «length», «damping»\n"
            "t = np.arange(21) * 0.5\n"
            "s = solve_ivp(lambda t, y: [y[1], -g / L * np.sin(y[0]) - c * y[1]], (0, 10), [np.radians(«degrees»), 0], t_eval=t, events=lambda t, y: y[0])\n"
            "pd.DataFrame({'t': t, 'theta': s.y[0].round(6), 'omega': s.y[1].round(6)}).to_csv('./output/pendulum.csv', index=False)\n"
            "print(f'crossing: {s.t_events[0][0]:.4f}')"
        ],
        "answer": "Saved ./output/pendulum.csv; it first passes through the vertical at «crossing» s.",
    },
    "in-degrees": {
        "why": "writes the angle in degrees",
        "cells": [
            "import numpy as np, pandas as pd\n"
            "from scipy.integrate import solve_ivp\n"
            "g, L, c = 9.81, «length», «damping»\n"
            "t = np.arange(21) * 0.5\n"
            "s = solve_ivp(lambda t, y: [y[1], -g / L * np.sin(y[0]) - c * y[1]], (0, 10), [np.radians(«degrees»), 0], t_eval=t, rtol=1e-11, atol=1e-12, events=lambda t, y: y[0])\n"
            "pd.DataFrame({'t': t, 'theta': np.degrees(s.y[0]).round(6), 'omega': np.degrees(s.y[1]).round(6)}).to_csv('./output/pendulum.csv', index=False)\n"
            "print(f'crossing: {s.t_events[0][0]:.4f}')"
        ],
        "answer": "The first passage through the vertical is at «crossing» s; the table is saved.",
    },
}
