"""`python -m runner.sandbox.sandboxd --socket PATH`: the service for all workers of a host."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from pathlib import Path

from runner.contract import SandboxUnavailable
from runner.sandbox.host.account import find_range
from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.sandbox.host.memory_budget import find_groups
from runner.sandbox.host.runtime_folders import claim_site
from runner.sandbox.sandboxd.launch import Keeping, Spec, become_service, delegate, kernels_ahead

BACKLOG = 256


def main() -> int:
    options = parser().parse_args()
    try:
        spec = prepare(options)
    except (SandboxUnavailable, OSError) as error:
        print(f"sandboxd: {error}", file=sys.stderr)
        return 1
    become_service(spec)
    return 1


def parser() -> argparse.ArgumentParser:
    defaults = Keeping()
    made = argparse.ArgumentParser(prog="python -m runner.sandbox.sandboxd", description=__doc__)
    made.add_argument("--socket", type=Path, required=True, help="where workers find it")
    made.add_argument(
        "--open-to-group", action="store_true", help="workers of the same group may connect"
    )
    made.add_argument("--with-parent", action="store_true", help="end when whoever starts it ends")
    made.add_argument("--ahead", type=int, help="kernels kept ready; else PYBENCH_SANDBOX_AHEAD")
    made.add_argument("--rotate-forks", type=int, default=defaults.rotate_forks)
    made.add_argument("--rotate-s", type=float, default=defaults.rotate_s)
    return made


def prepare(options: argparse.Namespace) -> Spec:
    """Set up everything that needs our own rights: the socket, a locked folder, another user's
    cgroups."""
    env = find_kernel_environment()
    found = find_groups()
    site = claim_site(found)
    listener = listen(options.socket, 0o660 if options.open_to_group else 0o600)
    ahead = kernels_ahead() if options.ahead is None else options.ahead
    keeping = Keeping(ahead, options.rotate_forks, options.rotate_s)
    delegated = delegate(found, site.token)
    parent = os.getppid() if options.with_parent else 0
    return Spec(site, env, delegated, keeping, listener, parent=parent, users=find_range().given)


def listen(path: Path, mode: int) -> int:
    """A descriptor of the listening socket at `path`, in place of one that a dead service left."""
    path.unlink(missing_ok=True)
    made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    made.bind(str(path))
    path.chmod(mode)
    made.listen(BACKLOG)
    return made.detach()


if __name__ == "__main__":
    sys.exit(main())
