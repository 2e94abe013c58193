"""Whole attempts, hostile cells and the doctor behind a real Jupyter gateway on loopback."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from runner.cli import main
from runner.contract import CellStatus, Limits
from runner.sandbox import doctor
from runner.sandbox.factory import open_sandbox
from runner.suites import load_suite
from runner.tests.attacks import artefacts, life, output
from runner.tests.attacks.rows import ANY, Attack
from runner.tests.attacks.surroundings import Surroundings, made_surroundings, show
from runner.tests.attacks.test_attacks import check_harvest
from runner.tests.gateways.real import ROOT, RealGateway, real_gateway, wait_for
from runner.tests.small_suite import scripted

pytestmark = [pytest.mark.sandbox, pytest.mark.services]

TASKS = ("quarterly-sales", "menu-page", "contact-sheet", "lattice-paths")

# Rows about messages, files and the kernel's own life. Those about memory, processes, network and
# the host are for the gateway's containers to meet: this gateway has none. Of the others are left
# out those that go for ZeroMQ's sockets, whose other end is here the gateway itself, and those
# whose outcome rests on our own transport or limits.
HELD = {
    "endless-print", "endless-errors", "endless-displays", "endless-messages", "huge-display",
    "many-displays", "broken-repr", "huge-error", "deep-error", "error-without-text", "wide-json",
    "forged-reply", "forged-replies-to-others", "control-characters", "comms",
    "exit", "segfault", "kill-itself", "surviving-threads", "close-everything", "break-builtins",
    "links", "link-loops", "special-files", "names", "climbing-names", "too-many-files",
    "replaced-output", "output-as-a-file", "deep-folders", "modes", "planted-modules",
    "claimed-results",
}  # fmt: skip
ROWS = [
    attack for attack in (*output.ATTACKS, *life.ATTACKS, *artefacts.ATTACKS) if attack.name in HELD
]

CHOKING = ("odd-numbers", "wrong-types", "wrong-headers")

DRIVER = """
import asyncio, sys
from pathlib import Path
from runner.contract import Limits
from runner.sandbox.factory import open_sandbox

async def drive():
    session = await open_sandbox().open(Path(sys.argv[1]), Limits())
    await session.run("1", 60)
    print("ready", flush=True)
    await session.run("while True: pass", 1000)

asyncio.run(drive())
"""


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surroundings]:
    with made_surroundings(tmp_path_factory.mktemp("host")) as made:
        yield made


def test_attempts_of_the_starter_suite_pass(
    gateway: RealGateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables, charts judged by what was drawn, pictures; the checks run on this host."""
    monkeypatch.setenv("PYBENCH_VAR", str(tmp_path / "var"))
    with scripted(load_suite("starter")) as server:
        words = ["--suite", "starter", "--base-url", server.base_url, "--model", "reference"]
        code = main([*words, "--tasks", ",".join(TASKS), "--out", str(tmp_path / "out")])
    lines = (tmp_path / "out" / "trajectories.jsonl").read_text().splitlines()
    told = [next(v for v in json.loads(line).values() if isinstance(v, dict)) for line in lines]
    assert code == 0
    assert [(attempt["outcome"], attempt["passed"]) for attempt in told] == (
        [("finished", True)] * len(TASKS)
    )
    for attempt in told:
        assert attempt["environment"]["sandbox"] == "gateway"
        assert attempt["environment"]["layers"].startswith("the gateway's own: ")
        has_changes = any(step["changes"] for step in attempt["steps"])
        assert has_changes is bool(attempt["outputs"])
    assert gateway.token not in "".join(lines)
    assert gateway.kernels() == []


@pytest.mark.parametrize("attack", [pytest.param(attack, id=attack.name) for attack in ROWS])
async def test_attack_comes_to_nothing(
    attack: Attack, gateway: RealGateway, surroundings: Surroundings, tmp_path: Path
) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    (inputs / "a.csv").write_text("x,y\n1,2\n")
    sandbox = open_sandbox()
    session = await sandbox.open(inputs, Limits())
    try:
        result = await session.run(surroundings.fill(attack.code), attack.timeout_s)
        after = await session.run("print(6 * 7)", 20)
        await session.changes()
        harvest = await session.harvest(tmp_path / "taken")
    finally:
        await session.close()
        await sandbox.close()
    shown = show(result)
    assert result.status in attack.ends, (result.status, shown[-2000:])
    if attack.reason != "*":
        assert result.reason == (attack.reason if result.reason else ""), shown[-2000:]
    assert re.search(attack.shows, shown), shown[-2000:]
    if not attack.spoils:
        assert after.status is CellStatus.OK, show(after)[-2000:]
        assert "42\n" in show(after)
    check_harvest(attack, harvest)
    assert gateway.kernels() == []


@pytest.mark.parametrize("name", CHOKING)
async def test_a_kernel_that_chokes_its_gateways_relay_harms_itself_alone(
    name: str, gateway: RealGateway, surroundings: Surroundings, tmp_path: Path
) -> None:
    """Jupyter's server stops to pass on what a kernel shows after a message that it cannot read."""
    (attack,) = (attack for attack in output.ATTACKS if attack.name == name)
    sandbox = open_sandbox()
    sessions = [await sandbox.open(tmp_path, Limits()) for _ in range(3)]
    choking, other, later = sessions
    try:
        await other.run("kept = 5; open('output/a', 'w').write('a')", 60)
        result = await choking.run(surroundings.fill(attack.code), 3)
        still = await other.run("print(kept)", 20)
        after = await later.run("print(6 * 7)", 60)
        harvests = [await one.harvest(tmp_path / str(n)) for n, one in enumerate(sessions)]
    finally:
        for one in sessions:
            await one.close()
        await sandbox.close()
    assert result.status in ANY
    assert (show(still), show(after)) == ("5\n", "42\n")
    assert [len(harvest.files) for harvest in harvests] == [0, 1, 0]
    assert gateway.kernels() == []


def test_the_rows_are_those_of_the_attack_suite() -> None:
    assert {attack.name for attack in ROWS} == HELD


def test_the_doctor_sees_the_gateway(
    gateway: RealGateway, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor.main() == 0
    table = capsys.readouterr().out
    assert re.search(rf"ok +kernel gateway +{gateway.url}, version \d.*“pybench”", table)
    assert "gateway: the gateway's own: " in table
    assert "6 × 7 = 42" in table
    assert gateway.token not in table


def test_the_doctor_says_what_is_wrong_with_a_gateway(
    gateway: RealGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYBENCH_GATEWAY_TOKEN", "wrong")
    finding = doctor.look_at_gateway()
    assert not finding.is_fine
    assert finding.is_vital
    assert "PYBENCH_GATEWAY_TOKEN" in finding.remedy


def test_without_a_gateway_the_doctor_asks_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYBENCH_SANDBOX", "auto")
    assert doctor.look_at_gateway() == doctor.Finding(
        "kernel gateway", True, False, "not asked for"
    )


def make_certificate(path: Path) -> None:
    """Signed by itself, for 127.0.0.1, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a gateway")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    plain = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(plain + certificate.public_bytes(serialization.Encoding.PEM))


def test_over_tls_the_certificate_must_be_known(tmp_path: Path) -> None:
    """In processes of their own: what is trusted is read once."""
    certificate = tmp_path / "certificate.pem"
    make_certificate(certificate)
    (tmp_path / "gateway").mkdir()
    with real_gateway(tmp_path / "gateway", certificate=certificate) as gateway:
        known = {"SSL_CERT_FILE": str(certificate)}
        said = [
            subprocess.run(
                [sys.executable, "-c", "from runner.sandbox import doctor as d\n"
                 "print(d.render([d.look_at_gateway(), d.try_a_session()]))"],
                env={**os.environ, **gateway.settings(), "PYTHONPATH": str(ROOT), **trusted},
                capture_output=True,
                text=True,
                timeout=300,
                check=True,
            ).stdout
            for trusted in (known, {})
        ]  # fmt: skip
    assert f"ok       kernel gateway      {gateway.url}" in said[0]
    assert "6 × 7 = 42" in said[0]
    assert "CERTIFICATE_VERIFY_FAILED" in said[1]
    assert gateway.token not in said[0] + said[1]


def test_the_gateway_culls_what_a_killed_worker_left(tmp_path: Path) -> None:
    """With the settings that the documentation names, and less patience."""
    patience = {"cull_idle_timeout": "20", "cull_interval": "1"}
    (tmp_path / "inputs").mkdir()
    (tmp_path / "gateway").mkdir()
    with real_gateway(tmp_path / "gateway", patience) as gateway:
        worker = subprocess.Popen(
            [sys.executable, "-c", DRIVER, str(tmp_path / "inputs")],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **gateway.settings(), "PYTHONPATH": str(ROOT)},
        )
        with worker:
            assert worker.stdout is not None
            try:
                assert worker.stdout.readline() == "ready\n"
                assert len(gateway.kernels()) == 1
            finally:
                worker.send_signal(signal.SIGKILL)
        wait_for(lambda: not gateway.kernels(), "the kernel is culled")
        wait_for(lambda: not gateway.processes(), "and its process ended")
