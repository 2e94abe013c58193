"""The command line with transformers' and llama.cpp's servers: every format, streaming and not.

The models are made here, of random weights: they answer nonsense, and what counts is that each
reply is read, each attempt judged, and no attempt void.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from conftest import free_port, wait_until
from leaderboard.tests.support.page_tools import find_peer
from runner.cli.main import main
from runner.contract import ActionFormat, EndpointSpec
from runner.preflight.probe import preflight
from runner.preflight.report import State
from runner.sandbox.factory import open_sandbox
from runner.tests.support.small_suite import small_suite

pytestmark = [pytest.mark.peers, pytest.mark.sandbox]

FOR_TRANSFORMERS = """
import sys, torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

torch.manual_seed(1)
bytewise = Tokenizer(models.BPE())
bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
bytewise.decoder = decoders.ByteLevel()
alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
special = ["<s>", "</s>"]
trainer = trainers.BpeTrainer(vocab_size=260, initial_alphabet=alphabet, special_tokens=special)
bytewise.train_from_iterator([], trainer)
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=bytewise, bos_token="<s>", eos_token="</s>", pad_token="</s>"
)
tokenizer.chat_template = (
    "{% for m in messages %}{{ m.role }}: {{ m.content }}\\n{% endfor %}assistant:"
)
tokenizer.save_pretrained(sys.argv[1])
config = LlamaConfig(
    vocab_size=len(tokenizer), hidden_size=32, intermediate_size=64, num_hidden_layers=1,
    num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=8192,
    bos_token_id=0, eos_token_id=1,
)
LlamaForCausalLM(config).save_pretrained(sys.argv[1])
"""


FOR_LLAMA_CPP = """
import sys
import numpy as np
from gguf import GGUFWriter, TokenType

wide, inner, random = 32, 64, np.random.default_rng(1)
octets = [f"<0x{i:02X}>" for i in range(256)]
tokens = ["<unk>", "<s>", "</s>", *octets, chr(0x2581)]
kinds = [TokenType.UNKNOWN, TokenType.CONTROL, TokenType.CONTROL]
kinds += [TokenType.BYTE] * 256 + [TokenType.NORMAL]
out = GGUFWriter(sys.argv[1], "llama")
out.add_context_length(8192)
out.add_embedding_length(wide)
out.add_block_count(1)
out.add_feed_forward_length(inner)
out.add_head_count(2)
out.add_head_count_kv(2)
out.add_layer_norm_rms_eps(1e-5)
out.add_rope_dimension_count(wide // 2)
out.add_vocab_size(len(tokens))
out.add_tokenizer_model("llama")
out.add_token_list([token.encode() for token in tokens])
out.add_token_scores([0.0] * len(tokens))
out.add_token_types(kinds)
out.add_bos_token_id(1)
out.add_eos_token_id(2)
out.add_unk_token_id(0)
out.add_chat_template(
    "{% for m in messages %}{{ m.role }}: {{ m.content }}\\n{% endfor %}assistant:"
)
shapes = {name: (len(tokens), wide) for name in ("token_embd", "output")}
shapes |= {f"blk.0.attn_{part}": (wide, wide) for part in ("q", "k", "v", "output")}
shapes |= {"blk.0.ffn_gate": (inner, wide), "blk.0.ffn_up": (inner, wide)}
shapes["blk.0.ffn_down"] = (wide, inner)
for name, shape in shapes.items():
    out.add_tensor(f"{name}.weight", random.normal(0, 0.05, shape).astype(np.float32))
for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
    out.add_tensor(f"{name}.weight", np.ones(wide, np.float32))
out.write_header_to_file()
out.write_kv_data_to_file()
out.write_tensors_to_file()
out.close()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_suite(tmp_path_factory.mktemp("suite")).folder


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=pytest.mark.one_of("model servers", name))
        for name in ("transformers", "llama-cpp")
    ],
)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """Address of the server, and its model's name."""
    python, home = find_peer(request.param, "python"), tmp_path_factory.mktemp("tiny")
    model, port = str(home / request.param), free_port()
    if request.param == "transformers":
        making, path = FOR_TRANSFORMERS, "/health"
        program = [str(python.with_name("transformers")), "serve", model, "--device", "cpu"]
    else:
        making, path = FOR_LLAMA_CPP, "/v1/models"
        program = [str(python), "-m", "llama_cpp.server", "--model", model, "--model_alias", model]
        program += ["--n_ctx", "8192", "--n_threads", "1", "--interrupt_requests", "False"]
    (home / "hub").mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_CACHE": str(home / "hub"),  # its list of models is what is in here
        "OMP_NUM_THREADS": "1",
    }
    make = [str(python), "-c", making, model]
    subprocess.run(make, check=True, timeout=600, env=environment, capture_output=True)
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(
            [*program, "--host", "127.0.0.1", "--port", str(port)],
            cwd=home,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until(lambda: answers(address + path, process), "the server answers", 600)
            yield f"{address}/v1", model
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(60)


def answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, "the server has ended"
    try:
        return httpx2.get(address, timeout=30).status_code == 200
    except httpx2.HTTPError:
        return False


@pytest.mark.parametrize(
    ("form", "streaming"), [("fenced", []), ("markers", ["--no-stream"]), ("tools", [])]
)
def test_random_model_is_judged_in_every_format(
    form: str,
    streaming: list[str],
    server: tuple[str, str],
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYBENCH_VAR", str(tmp_path / "var"))
    address, model = server
    words = ["--suite", str(folder), "--base-url", address, "--model", model]
    words += ["--out", str(tmp_path / "out"), "--format", form, *streaming]
    words += ["--max-tokens", "24", "--limit-turns", "2", "--json", str(tmp_path / "figures")]
    assert main(words) == 0
    [whole] = json.loads((tmp_path / "figures").read_text("utf-8"))["figures"][-1:]
    assert (whole["attempts"], whole["void"], whole["failed"]) == (2, 0, 2)
    assert whole["turns"] == 2.0
    if "llama" not in Path(model).name or streaming:  # its streams count no tokens
        assert 0 < whole["completion_tokens"] <= 4 * 30
        assert whole["prompt_tokens"] > 0


async def test_preflight_reads_replies_of_the_random_model(server: tuple[str, str]) -> None:
    address, model = server
    sandbox = open_sandbox()
    try:
        spec = EndpointSpec(address, model, action_format=ActionFormat.FENCED, max_tokens=24)
        report = await preflight(spec, sandbox, total_s=120.0)
    finally:
        await sandbox.close()
    found = {check.name: check for check in report.checks}
    assert found["authorised"].state is State.OK
    assert found["streaming"].state is State.OK
    assert found["task"].said.startswith("3 of 3 ended without the expected file")
    assert report.is_usable
    assert report.measures.reply_s is not None
