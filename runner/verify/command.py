"""The command line's `verify`: check a run's evidence and judge its stored outputs again."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from runner.cli.exit_codes import BROKEN, DIFFERENT, DONE, INCOMPLETE
from runner.cli.site_client import TOKEN_VARIABLE, ask, check_site, open_site, secret
from runner.evidence.chain import digest_of
from runner.evidence.envelope import BadEnvelope, read_payload
from runner.evidence.statement import MANIFEST, file_name, trajectory_name, verdict_name
from runner.rejudging import Rejudged
from runner.suite.reader import ROOT, Suite, load_suite, problem
from runner.verify.bundle import Bundle, open_bundle
from runner.verify.claims import ClaimedAttempt, ClaimedRun, read_claims
from runner.verify.fetching import RunAddress, fetch_keys, fetched, read_address
from runner.verify.figures import compute, find_differences, find_state_differences
from runner.verify.keys import BrokenEvidence, TrustedKeys, check_signature, read_key
from runner.verify.scoring import JudgedAgain, score_all

MAX_LINES = 20


@dataclass
class VerifiedRun:
    """Everything that was found out about a run's evidence."""

    run: ClaimedRun
    manifest_sha256: str  # of the statement that is signed
    signer: str  # id of the key; "" if the signature was not checked
    scored: list[JudgedAgain] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)  # lines on facts of the row that differ

    @property
    def different(self) -> list[JudgedAgain]:
        return [one for one in self.scored if one.is_different]

    @property
    def unscored(self) -> list[JudgedAgain]:
        return [one for one in self.scored if one.why_not]

    @property
    def is_equal(self) -> bool:
        return not self.different and not self.unscored and not self.figures

    @property
    def exit_code(self) -> int:
        if self.different or self.figures:
            return DIFFERENT
        return INCOMPLETE if self.unscored or not self.signer else DONE


def verify_evidence(words: Sequence[str]) -> int:
    """Verify one bundle; the exit code."""
    options = parser().parse_args(words)
    send_to = find_report_site(options) if options.report else None
    try:
        with opened(options.source, find_token(options)) as (bundle, address):
            verified = verify(bundle, trusted(options, address.site if address else ""), options)
            require_run(verified.run, address)
    except BrokenEvidence as error:
        print(f"error: {error.problem.sentence}", file=sys.stderr)
        return BROKEN
    if options.json:
        print(write_report(verified))
    else:
        tell(verified, options.quick)
    if send_to:
        report(verified, *send_to)
    return verified.exit_code


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pybench verify",
        description="Check the evidence for a run: digests, signature, and every stored output "
        "checked again in this machine's sandbox. No model is called.",
        epilog="Exit codes: 0 equal, 1 something could not be checked, 2 bad input, 3 the site "
        "went away, 4 the evidence is not what its signature or digests say, 5 a verdict or a "
        "figure differs.",
    )
    add = parser.add_argument
    add("source", help="address of a run, a bundle, a folder of one, or its manifest.json")
    add("--suites", type=Path, default=ROOT, metavar="DIR",
        help="folder of suites (default: this checkout's)")  # fmt: skip
    add("--key", default="", help="the public key to trust, in base64 (default: the site's)")
    add("--site", default="", help="the site whose published keys to trust, for a file")
    add("--jobs", type=int, default=2, metavar="N", help="checks at once (default: 2)")
    add("--quick", action="store_true", help="digests, signature and figures only")
    add("--private", action="store_true", help="fetch your own private run, by your API token")
    add("--report", action="store_true", help="send the findings to the site, by your API token")
    add("--token-env", metavar="VAR", default=TOKEN_VARIABLE,
        help=f"environment variable with your API token (default: {TOKEN_VARIABLE})")  # fmt: skip
    add("--json", action="store_true", help="print the findings as JSON")
    return parser


def find_token(options: argparse.Namespace) -> str:
    """The token that a private run is fetched by; no other request carries it. ProblemError."""
    if options.private and "://" not in options.source:
        raise problem(
            "no_address",
            "--private fetches a run, and no address of one is given.",
            "Give it as in https://board.your-host.org/runs/12/, or leave --private out.",
        )
    return secret(options.token_env) if options.private else ""


@contextmanager
def opened(source: str, token: str) -> Iterator[tuple[Bundle, RunAddress | None]]:
    """The bundle, and the address that it was fetched from; None for a file."""
    if "://" in source:
        address = read_address(source)
        with fetched(address, token) as path, open_bundle(path) as bundle:
            yield bundle, address
    else:
        with open_bundle(Path(source)) as bundle:
            yield bundle, None


def require_run(run: ClaimedRun, address: RunAddress | None) -> None:
    """Raises BrokenEvidence for the evidence of another run than the one that was asked for."""
    if address and run.run != address.number:
        raise broken(f"The site sent the evidence of run {run.run} for run {address.number}.")


def trusted(options: argparse.Namespace, site: str) -> TrustedKeys | None:
    """The keys to trust; None where none was named."""
    if options.key:
        return read_key(options.key)
    if options.site or site:
        return fetch_keys(options.site or site)
    return None


def verify(bundle: Bundle, keys: TrustedKeys | None, options: argparse.Namespace) -> VerifiedRun:
    """Check signature, digests, verdicts and figures, in this order. ProblemError."""
    envelope, payload = read_manifest(bundle)
    signer = check_signature(envelope, keys) if keys else ""
    run = read_claims(payload)
    verified = VerifiedRun(run, digest_of(payload), signer)
    check_digests(run, bundle)
    verdicts = {one.key: one.passed for one in run.attempts}
    if not options.quick:
        verified.scored = score(run, bundle, options)
        verdicts |= {one.claim.key: one.passed for one in verified.scored if not one.why_not}
    computed = compute(run.attempts, verdicts, run.max_turns)
    differences = (*find_differences(run.figures, computed), *find_state_differences(run))
    verified.figures = list(differences)
    return verified


def read_manifest(bundle: Bundle) -> tuple[dict[str, Any], bytes]:
    try:
        envelope = bundle.read_envelope()
        return envelope, read_payload(envelope)
    except FileNotFoundError:
        raise problem(
            "no_manifest", f"{bundle.place} has no {MANIFEST}.", "Give a bundle of a run."
        ) from None
    except BadEnvelope as error:
        raise problem("bad_manifest", str(error), "Download the manifest again.") from None


def check_digests(run: ClaimedRun, bundle: Bundle) -> None:
    """Compare every file with the manifest, and each verdict with what it says of its attempt.

    BrokenEvidence for a file that is not as signed, or says something else.
    """
    missing: list[str] = []
    files = claimed_files(run)
    if files != run.subjects:
        raise broken("The subjects of the manifest are not the files of its attempts.")
    if more := sorted(bundle.names() - {MANIFEST, *files}):
        raise broken(f"The bundle has {len(more)} files that are not signed, the first: {more[0]}.")
    for name, sha256 in files.items():
        found = bundle.digest(name)
        if not found:
            missing.append(name)
        elif found != sha256:
            raise broken(f"{name} is not the file that was signed: its SHA-256 differs.")
    if missing:
        raise problem(
            "without_files",
            f"{len(missing)} files of the manifest are not beside it, the first: {missing[0]}.",
            "Give the whole bundle, from /runs/NUMBER/bundle.zip.",
        )
    for one in run.attempts:
        if one.passed is not None and one.verdict_sha256:
            check_verdict(one, bundle.read_json(verdict_name(*one.key)))


def check_verdict(one: ClaimedAttempt, verdict: Any) -> None:
    told = (verdict.get("passed"), verdict.get("check_version")) if type(verdict) is dict else ()
    if told != (one.passed, one.check_version):
        raise broken(f"The verdict of {one.name} is not the one that the manifest has.")


def claimed_files(run: ClaimedRun) -> dict[str, str]:
    """SHA-256 by name of each file that the attempts rest on."""
    files: dict[str, str] = {}
    for one in run.attempts:
        files[trajectory_name(*one.key)] = one.trajectory_sha256
        if one.verdict_sha256:
            files[verdict_name(*one.key)] = one.verdict_sha256
        files |= {file_name(file.sha256): file.sha256 for file in one.outputs}
    return files


def broken(what: str) -> BrokenEvidence:
    return BrokenEvidence(
        problem("broken_evidence", what, "Download the bundle again from the run's page.").problem
    )


def score(run: ClaimedRun, bundle: Bundle, options: argparse.Namespace) -> list[JudgedAgain]:
    suite: Suite = load_suite(run.suite, options.suites.absolute())
    if suite.digest != run.suite_digest:
        print(
            f"Your {suite.name} is not the very suite of this run: only tasks with the same check "
            "are judged.",
            file=sys.stderr,
        )
    total = sum(one.passed is not None for one in run.attempts)
    with (
        tempfile.TemporaryDirectory(prefix="verify-") as scratch,
        tqdm(total=total, unit="attempt", file=sys.stderr, dynamic_ncols=True) as bar,
    ):

        def count(done: Rejudged) -> None:
            bar.update()

        return score_all(suite, run, bundle, Path(scratch), max(1, options.jobs), count)


def find_report_site(options: argparse.Namespace) -> tuple[str, str]:
    """The site that findings are sent to, and the token for it. ProblemError."""
    site = options.site or (read_address(options.source).site if "://" in options.source else "")
    if not site or options.quick:
        raise problem(
            "no_report",
            "Findings are sent to a site, and only after its stored outputs were judged again.",
            "Give the run's address or --site, and leave --quick out.",
        )
    return check_site(site), secret(options.token_env)


def report(verified: VerifiedRun, site: str, token: str) -> None:
    """Send the findings to the run's site. ProblemError in the site's words."""
    found = as_json(verified)
    body = {
        "manifest_sha256": verified.manifest_sha256,
        "equal": verified.is_equal,
        "attempts": found["attempts"],
        "report_sha256": digest_of(write_report(verified).encode()),
        "differences": [line[:300] for line in (*found["different"], *found["figures"])][:100],
    }
    with open_site(site, token) as http:
        address = f"/api/v1/runs/{verified.run.run}/verifications/"
        answer = ask(http, "POST", address, body, is_known=False)
    count = answer.get("verified_by")
    print(f"Sent: equal by the reports of {count} accounts beside its owner.", file=sys.stderr)


def tell(verified: VerifiedRun, is_quick: bool) -> None:
    """Print the findings, the sentence that answers first."""
    run, scored = verified.run, verified.scored
    heading = f"run {run.run} on {run.suite} {run.suite_version}"
    checked = len(scored) - len(verified.unscored)
    if verified.is_equal and is_quick:
        print(f"Equal: {heading}. Digests and figures fit; no output was judged again (--quick).")
    elif verified.is_equal:
        print(f"Equal: {heading}. {checked} verdicts and all figures are those of the manifest.")
    elif verified.different or verified.figures:
        print(f"Different: {heading}. {len(verified.different)} of {checked} verdicts differ.")
    else:
        print(f"Not all of it could be checked: {heading}. {checked} verdicts are equal.")
    signed = f"signed with key {verified.signer[:12]}" if verified.signer else "NOT CHECKED"
    print(f"signature: {signed}{'' if verified.signer else ' (give --site or --key)'}")
    lines = [tell_different(one) for one in verified.different]
    lines += [f"figure: {line}" for line in verified.figures]
    lines += [f"{one.claim.name}: not judged, because {one.why_not}" for one in verified.unscored]
    for line in lines[:MAX_LINES]:
        print(f"  {line}")
    if len(lines) > MAX_LINES:
        print(f"  and {len(lines) - MAX_LINES} more; --json has all")


def tell_different(one: JudgedAgain) -> str:
    words = {True: "passed", False: "failed"}
    was, now = words[bool(one.claim.passed)], words[bool(one.passed)]
    return f"{one.claim.name}: {was} in the manifest, {now} here. {one.sentence}"


def write_report(verified: VerifiedRun) -> str:
    """The findings as JSON: what `--json` prints, and the digest that a site gets is of."""
    return json.dumps(as_json(verified), indent=1)


def as_json(verified: VerifiedRun) -> dict[str, Any]:
    return {
        "run": verified.run.run,
        "manifest_sha256": verified.manifest_sha256,
        "key": verified.signer,
        "equal": verified.is_equal,
        "attempts": len(verified.scored) - len(verified.unscored),
        "different": [tell_different(one) for one in verified.different],
        "figures": verified.figures,
        "not_judged": {one.claim.name: one.why_not for one in verified.unscored},
    }
