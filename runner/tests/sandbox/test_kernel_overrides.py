"""The parts of ipykernel and IPython that `kernel_overrides` rests on are there, as it knows them.

None of them is promised to anybody: a release may rename one, take a parameter away or stop calling
it, and a kernel would then lose what is printed or answer nobody. So each is named here, and an
upgrade that changes one fails with its name.
"""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runner.sandbox.host.kernel_env import find_kernel_environment
from runner.sandbox.inside import kernel_main

pytestmark = pytest.mark.sandbox

OVERRIDES = Path(kernel_main.__file__).with_name("kernel_overrides.py")
OWN = {  # of our classes: upstream knows nothing of them
    *("Tender.tend", "Tender.wake", "Stream.drain", "Stream.drain_beside", "Stream.is_flooded"),
    *(
        "Stream.send_pending",
        "Stream.write_as_child",
        "SandboxKernel.take",
        "SandboxKernel.requests_under_way",
        "SandboxKernel.cell",
        "SandboxKernel.put_back",
        "SandboxKernel.originals",
        "SandboxKernel.left_out",
        "SandboxKernel.streams",
        "Stream.buffer",
        "Stream.reconfigure",
        "Stream.left_out",
        "SandboxShell.show_exit",
    ),
    *("SandboxKernelApp.listen", "SandboxKernelApp.rehearse"),
    *("Exit.__repr__", "SandboxShell._last_traceback"),
    *(
        "SandboxShell.show_untold",
        "SandboxShell.has_shown_error",
        "SandboxShell.frames_cut",
        "SandboxShell.runs_code",
        "SandboxShell.can_run_cells",
        "SandboxKernel.await_forks",
    ),
}
BASES = {
    "Tender": "ipykernel.iostream:IOPubThread",
    "Stream": "ipykernel.iostream:OutStream",
    "Events": "IPython.core.events:EventManager",
    "Exit": "IPython.core.autocall:ExitAutocall",
    "SandboxShell": "ipykernel.zmqshell:ZMQInteractiveShell",
    "SandboxKernel": "ipykernel.ipkernel:IPythonKernel",
    "SandboxKernelApp": "ipykernel.kernelapp:IPKernelApp",
}
# Replaced or called, by our class: the parameters that upstream's has.
METHODS: dict[str, dict[str, str]] = {
    "Tender": {
        "__init__": "self socket pipe session",
        "schedule": "self f",
        "send_multipart": "self *args **kwargs",
    },
    "Stream": {
        "__init__": "self session pub_thread name pipe echo watchfd isatty",
        "_setup_stream_redirects": "self name",
        "_schedule_flush": "self",
        "close": "self",
        "flush": "self",
        "_flush": "self",
        "set_parent": "self parent",
        "write": "self string",
        "_is_master_process": "self",
    },
    "Events": {"trigger": "self event *args **kwargs"},
    "Exit": {"__call__": "self"},
    "SandboxShell": {
        "init_builtins": "self",
        "init_events": "self",
        "run_code": "self code_obj result async_",
        "ask_exit": "self",
        "set_parent": "self parent",
        "set_next_input": "self text replace",
        "showtraceback": ("self exc_tuple filename tb_offset exception_only running_compiled_code"),
        "_showtraceback": "self etype evalue stb",
    },
    "SandboxKernel": {
        "__init__": "self **kwargs",
        "start": "self",
        "pre_handler_hook": "self",
        "post_handler_hook": "self",
        "do_execute": (
            "self code silent store_history user_expressions allow_stdin cell_meta cell_id"
        ),
        "_cancel_on_sigint": "self future",
        "raw_input": "self prompt",
        "getpass": "self prompt stream echo_char",
        "shell_main": "self subshell_id msg",
        "set_parent": "self ident parent channel",
        "_publish_status": "self status channel parent",
    },
    "SandboxKernelApp": {
        "init_sockets": "self",
        "init_io": "self",
        "init_signal": "self",
        "init_kernel": "self",
        "start": "self",
        "parse_command_line": "self argv",
        "load_config_file": "self suppress_errors",
        "init_code": "self",
        "init_path": "self",
        "_configure_logging": "self",
        "init_connection_file": "self",
        "write_connection_file": "self **kwargs",
        "log_connection_info": "self",
        "init_heartbeat": "self",
        "init_poller": "self",
        "patch_io": "self",
    },
}
# Set in place of upstream's, by our class.
ATTRIBUTES = {
    "Stream": ["flush_interval", "parent_header"],
    "SandboxShell": ["exiter", "builtin_trap", "display_page"],
    "SandboxKernel": [
        "shell_class",
        "shell_stream",
        "_supports_kernel_subshells",
        "_execute_sleep",
    ],
    "SandboxKernelApp": ["kernel_class"],
}
# Upstream's functions, and the names that they must still use for ours to be asked.
USES: dict[str, str] = {
    "ipykernel.iostream:OutStream.__init__": (
        "_setup_stream_redirects _fid _parent_header _parent_header_global _flush_pending"
        " _original_stdstream_fd _original_stdstream_copy pub_thread io_loop IOPubThread"
    ),
    "ipykernel.iostream:OutStream.fileno": "_original_stdstream_copy",
    "ipykernel.iostream:OutStream.set_parent": "parent_header",
    "ipykernel.iostream:OutStream.write": "parent_header _is_master_process _schedule_flush",
    "ipykernel.iostream:OutStream._flush": "_flush_pending session send pub_thread",
    "ipykernel.ipkernel:IPythonKernel.__init__": (
        "sys modules _kernel_modules iopub_socket shell_class"
    ),
    "ipykernel.ipkernel:IPythonKernel.do_execute": "_forward_input _restore_input _last_traceback",
    "ipykernel.kernelbase:Kernel.shell_main": (
        "_supports_kernel_subshells shell_channel_thread parent_thread dispatch_shell"
    ),
    "ipykernel.kernelbase:Kernel.dispatch_shell": (
        "shell_stream set_parent pre_handler_hook post_handler_hook _publish_status_and_flush flush"
    ),
    "ipykernel.kernelbase:Kernel.execute_request": "do_execute _execute_sleep finish_metadata",
    "jupyter_client.session:Session.serialize": "pack",
    "ipykernel.kernelbase:Kernel._publish_status": "session send iopub_socket",
    "ipykernel.kernelapp:IPKernelApp.initialize": (
        "init_connection_file init_poller init_sockets init_heartbeat write_connection_file"
        " log_connection_info init_io init_signal init_kernel init_path init_shell init_code"
    ),
    "ipykernel.kernelapp:IPKernelApp.init_kernel": (
        "kernel_class session shell_stream iopub_socket log profile_dir user_ns"
        " displayhook get_execution_count"
    ),
    "IPython.core.interactiveshell:InteractiveShell.run_code": "warn SystemExit showtraceback",
    "IPython.core.interactiveshell:InteractiveShell.showtraceback": "_render_traceback_",
    "IPython.core.interactiveshell:InteractiveShell.init_hooks": "display_page show_in_pager",
    "IPython.core.events:EventManager.__init__": "callbacks",
    "IPython.core.builtin_trap:BuiltinTrap.activate": "auto_builtins",
    "IPython.core.shellapp:InteractiveShellApp.init_code": "user_ns_hidden _sys_modules_keys",
    "IPython.core.history:HistoryManager.__init__": "enabled",
}

# Reads those tables on stdin and prints a sentence for each part that is not as they say.
INSPECT = """
import importlib, inspect, json, sys
sys.modules["debugpy"] = None
tables = json.load(sys.stdin)
odd = []

def find(place):
    module, _, path = place.partition(":")
    found = importlib.import_module(module)
    for name in path.split("."):
        found = inspect.getattr_static(found, name)
    return found

def parameters(function):
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    each = inspect.signature(function).parameters.values()
    return " ".join(stars.get(one.kind, "") + one.name for one in each)

def names_of(code):
    named = {*code.co_names, *code.co_varnames, *code.co_freevars}
    named |= {c for c in code.co_consts if isinstance(c, str)}
    for one in code.co_consts:
        if isinstance(one, tuple):
            named |= {part for part in one if isinstance(part, str)}
        elif hasattr(one, "co_names"):
            named |= names_of(one)
    return named

for place, expected in tables["methods"].items():
    try:
        has = parameters(find(place))
    except (AttributeError, ImportError):
        odd.append(f"{place} is gone.")
    else:
        if has != expected:
            odd.append(f"{place} takes ({has}) and not ({expected}).")
for place in tables["attributes"]:
    try:
        find(place)
    except (AttributeError, ImportError):
        odd.append(f"{place} is gone.")
for place, expected in tables["uses"].items():
    try:
        used = names_of(inspect.unwrap(find(place)).__code__)
    except (AttributeError, ImportError):
        odd.append(f"{place} is gone.")
    else:
        odd += [f"{place} uses {name} no more." for name in expected.split() if name not in used]
print(json.dumps(odd))
"""


def tables() -> dict[str, Any]:
    methods = {
        f"{BASES[ours]}.{name}": parameters
        for ours, each in METHODS.items()
        for name, parameters in each.items()
    }
    attributes = [f"{BASES[ours]}.{name}" for ours, each in ATTRIBUTES.items() for name in each]
    return {"methods": methods, "attributes": attributes, "uses": USES}


def look(asked: dict[str, Any]) -> list[str]:
    """Sentences on what the kernel environment's ipykernel has otherwise."""
    python = find_kernel_environment().folder / "bin" / "python"
    told = subprocess.run(
        [python, "-I", "-c", INSPECT],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return list(json.loads(told.stdout))


def test_ipykernel_has_each_part_that_the_kernel_rests_on() -> None:
    assert look(tables()) == []


def test_a_part_that_changed_is_named() -> None:
    class_ = "ipykernel.iostream:OutStream"
    asked = {
        "methods": {f"{class_}.flush": "self timeout", f"{class_}._begin": "self"},
        "attributes": [f"{class_}.no_interval"],
        "uses": {f"{class_}._flush": "session no_such_name"},
    }
    assert look(asked) == [
        f"{class_}.flush takes (self) and not (self timeout).",
        f"{class_}._begin is gone.",
        f"{class_}.no_interval is gone.",
        f"{class_}._flush uses no_such_name no more.",
    ]


def classes() -> Iterator[ast.ClassDef]:
    for node in ast.parse(OVERRIDES.read_text()).body:
        if isinstance(node, ast.ClassDef) and node.name in BASES:
            yield node


def defined_in(class_: ast.ClassDef) -> set[str]:
    named = {node.name for node in class_.body if isinstance(node, ast.FunctionDef)}
    named |= {node.name for node in class_.body if isinstance(node, ast.AsyncFunctionDef)}
    for node in class_.body:
        if isinstance(node, ast.Assign):
            named |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return named


def test_each_method_that_is_replaced_is_named_here() -> None:
    for class_ in classes():
        known = {*METHODS[class_.name], *ATTRIBUTES.get(class_.name, ())}
        ours = {name.partition(".")[2] for name in OWN if name.startswith(f"{class_.name}.")}
        unnamed = defined_in(class_) - known - ours - {"__init__", "io_loop"}
        assert not unnamed, f"{class_.name} replaces {unnamed}: name them in METHODS or OWN"


def test_each_private_name_that_is_used_is_named_here() -> None:
    named = {name for each in METHODS.values() for name in each}
    named |= {name for each in ATTRIBUTES.values() for name in each}
    named |= {name for each in USES.values() for name in each.split()}
    tree = ast.parse(OVERRIDES.read_text())
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    private = {name for name in used if name.startswith("_") and not name.startswith("__")}
    private -= {"_exit"}  # of the standard library
    assert private - named == set()
    assert private, "the module is read"
