"""The offer of `.venv/bin/pybench` without options: the models of this machine's own servers."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence

from runner.cli.exit_codes import BAD_INPUT, DONE
from runner.cli.local_servers import USUAL_PORTS, find_model_servers

EXAMPLE = ".venv/bin/pybench --base-url http://localhost:8000/v1 --model MODEL --out results/MODEL"

Evaluate = Callable[[Sequence[str]], int]


def offer_servers(
    evaluate: Evaluate,
    ports: Mapping[str, int] = USUAL_PORTS,
    read_line: Callable[[str], str] | None = None,
) -> int:
    """List the models that servers on this machine offer, and evaluate the one that is chosen.

    Without a terminal only the commands are printed.
    """
    offers = list_offers(ports)
    if not offers:
        print(say_none(ports), file=sys.stderr)
        return BAD_INPUT
    print("Models on this machine:")
    for number, (title, words) in enumerate(offers, 1):
        print(f"{number:>3}  {title}\n     {shlex.join(['python', '-m', 'runner', *words])}")
    if read_line is None and not sys.stdin.isatty():
        return DONE
    chosen = choose(len(offers), read_line or input)
    return evaluate(offers[chosen - 1][1]) if chosen else DONE


def list_offers(ports: Mapping[str, int]) -> list[tuple[str, list[str]]]:
    """Title and options of each model."""
    return [
        (f"{model} ({server['name']}, port {server['port']})", words_for(server["port"], model))
        for server in find_model_servers(ports)
        for model in server["models"]
    ]


def words_for(port: int, model: str) -> list[str]:
    folder = re.sub(r"[^A-Za-z0-9._-]+", "-", model).strip("-.") or "model"
    address = f"http://127.0.0.1:{port}/v1"
    return [f"--base-url={address}", f"--model={model}", f"--out=results/{folder[:80]}"]


def choose(most: int, read_line: Callable[[str], str]) -> int:
    """The number that was typed; 0 for none."""
    while True:
        try:
            typed = read_line(f"Evaluate which (1 to {most}, or Enter for none)? ").strip()
        except EOFError:
            return 0
        if not typed:
            return 0
        if typed.isascii() and typed.isdigit() and 1 <= int(typed[:9]) <= most:
            return int(typed)


def say_none(ports: Mapping[str, int]) -> str:
    looked = ", ".join(f"{name} at {port}" for name, port in ports.items())
    return (
        f"No model server answers on this machine (looked for {looked}).\n"
        f"Name an endpoint: {EXAMPLE}\n`.venv/bin/pybench --help` lists all options."
    )
