"""Special tokens that a server left in the text, a row for each form of a model family."""

from __future__ import annotations

import json

import pytest

from runner.contract import ActionFormat, StepStatus
from runner.model.calls_in_text import TOOL_NAME
from runner.model.code_blocks import END, START
from runner.model.reply import ModelReply, ToolCall, read
from runner.tests.support import endpoint_server
from runner.tests.support.endpoint_client import ask
from runner.tests.support.endpoint_server import DONE, chunk, misbehaving

SAID = "The total is 42."
H = "<|start|>assistant"

# Each is a reply whose reasoning is "deep" and whose answer is SAID; {} stands for that.
REASONED = {
    "think": "<think>deep</think>{}",
    "think, with lines": "<think>\ndeep\n</think>\n\n{}",
    "think, begun in the prompt": "deep\n</think>\n\n{}",
    "think, begun in the prompt, without a line": "deep</think>\n{}",
    "thinking": "<thinking>deep</thinking>\n{}",
    "EXAONE": "<thought>\ndeep\n</thought>\n\n{}",
    "scratchpad": "<scratchpad>\ndeep\n</scratchpad>\n{}",
    "Hermes' scratchpad": "<scratch_pad>deep</scratch_pad>\n{}",
    "Granite": "Here is my thought process: deep\n\nHere is my response: {}",
    "Granite, shorter": "Here's my thought process:\ndeep\nHere's my response:\n{}",
    "reasoning": "<reasoning>deep</reasoning>\n{}",
    "capitals": "<THINK>deep</THINK>{}",
    "Seed": "<seed:think>deep</seed:think>{}",
    "Seed with its end": "<seed:think>deep</seed:think>{}<seed:eos>",
    "MiniMax": "<mm:think>deep</mm:think>{}",
    "LongCat": "<longcat_think>\ndeep\n</longcat_think>\n{}",
    "Hunyuan": "<think>\ndeep\n</think>\n<answer>\n{}\n</answer>",
    "ERNIE": "deep\n</think>\n\n<response>\n{}\n</response>\n",
    "Mistral": "[THINK]deep[/THINK]{}",
    "Mistral with its end": "[THINK]deep[/THINK]{}</s>",
    "Cohere": "<|START_THINKING|>deep<|END_THINKING|><|START_RESPONSE|>{}<|END_RESPONSE|>",
    "Cohere's text": "<|START_THINKING|>deep<|END_THINKING|><|START_TEXT|>{}<|END_TEXT|>",
    "Gemma 4": "<|channel>thought\ndeep\n<channel|>{}<turn|>",
    "MedGemma": "<unused94>thought\ndeep<unused95>{}<end_of_turn>",
    "Kimi-VL": "◁think▷deep◁/think▷{}<|im_end|>",
    "Kimi K3": (
        "<|open|>think<|sep|>deep<|close|>think<|sep|><|open|>response<|sep|>{}"
        "<|close|>response<|sep|><|close|>message<|sep|>"
    ),
    "Sky-T1": (
        "<|begin_of_thought|>\n\ndeep\n\n<|end_of_thought|>\n\n"
        "<|begin_of_solution|>\n\n{}\n\n<|end_of_solution|>"
    ),
    "MiniCPM": "<|thought_start|>\ndeep\n<|thought_end|>\n{}",
    "Apertus": "<|inner_prefix|>deep<|inner_suffix|>{}<|assistant_end|>",
    "Pangu": "[unused16]deep[unused17]{}",
    "DeepSeek with its tokens": "<｜Assistant｜><think>deep</think>{}<｜end▁of▁sentence｜>",
    "GLM": "<|assistant|>\n<think>deep</think>\n{}<|user|>",
    "GLM's box": "<think>deep</think><|begin_of_box|>{}<|end_of_box|>",
    "Qwen in ChatML": "<|im_start|>assistant\n<think>\ndeep\n</think>\n\n{}<|im_end|>\n",
    "gpt-oss": f"<|channel|>analysis<|message|>deep<|end|>{H}<|channel|>final<|message|>{{}}",
    "gpt-oss, whole": (
        f"{H}<|channel|>analysis<|message|>deep<|end|>{H}<|channel|>final<|message|>{{}}<|return|>"
    ),
    "gpt-oss, lines between": (
        f"<|channel|>analysis<|message|>deep<|end|>\n{H}<|channel|>final<|message|>{{}}<|return|>\n"
    ),
    "gpt-oss without its ends": (
        "<|channel|>analysis<|message|>deep<|channel|>final<|message|>{}"
    ),
    "Solar": "<|think|>deep<|end|><|begin|>assistant<|content|>{}<|end|>",
    "Solar, begun in the prompt": "deep\n<|end|><|begin|>assistant<|content|>{}",
    "gpt-oss, begun in the prompt": f"deep<|end|>{H}<|channel|>final<|message|>{{}}<|return|>",
    "gpt-oss, a preamble": (
        f"<|channel|>commentary<|message|>deep<|end|>{H}<|channel|>final<|message|>{{}}"
    ),
    "gpt-oss, a commentary alone": f"<|channel|>analysis<|message|>deep<|end|>{H}"
    "<|channel|>commentary<|message|>{}<|end|>",
    "gpt-oss, a constraint": (
        f"<|channel|>analysis<|message|>deep<|end|>{H}"
        "<|channel|>final <|constrain|>text<|message|>{}"
    ),
    "gpt-oss without its tokens": "analysisdeepassistantfinal{}",
    "gpt-oss without its tokens, named": "assistantanalysisdeepassistantfinal{}",
    "gpt-oss without its tokens, begun in the prompt": "deep\nassistantfinal{}",
    "gpt-oss without its channels": "analysis<|message|>deep<|end|>final<|message|>{}<|return|>",
    "gpt-oss with bare names": (
        "analysis<|message|>deep<|end|><|start|>assistantfinal<|message|>{}<|return|>"
    ),
    "gpt-oss with names alone": "analysis<|message|>deep<|end|>assistantfinal{}",
    "gpt-oss with lines": "analysis<|message|>deep<|end|>\n<|start|>assistantfinal\n{}",
}  # fmt: skip

ENDED = {
    "nothing": "{}",
    "ChatML": "<|im_start|>assistant\n{}<|im_end|>",
    "ChatML, a line after": "{}<|im_end|>\n",
    "ChatML, a next turn": "{}<|im_end|>\n<|im_start|>user\nThe total is 7.<|im_end|>",
    "ChatML, its own turn again": "{}<|im_end|>\n<|im_start|>assistant\n",
    "end of text": "{}<|endoftext|>",
    "Functionary": ">>>all\n{}",
    "Functionary, begun in the prompt": "all\n{}<|eot_id|>",
    "Functionary 2": "<|from|>assistant\n<|recipient|>all\n<|content|>{}<|stop|>",
    "Llama 3, its role alone": "assistant\n\n{}",
    "OpenChat": "{}<|end_of_turn|>",
    "ERNIE": "<|begin_of_sentence|>{}<|end_of_sentence|>",
    "DeepSeek with other bars": "{}<|end▁of▁sentence|>",
    "Ling": "<role>ASSISTANT</role>{}<|role_end|>",
    "Ling, a next turn": "{}<|role_end|><role>HUMAN</role>The total is 7.",
    "Hunyuan": "<｜hy_Assistant｜>{}",
    "dots": "{}<|endofresponse|>",
    "dots, an assistant's": "{}<|endofassistant|>",
    "LongCat": "{}</longcat_s>",
    "Nemotron": "{}<SPECIAL_12>",
    "InternLM": "{}[UNUSED_TOKEN_145]\n",
    "end of text, twice": "{}<|im_end|><|endoftext|>",
    "end of text, a next turn": "{}<|endoftext|><|im_start|>user\nThe total is 7.",
    "Llama 3": "<|start_header_id|>assistant<|end_header_id|>\n\n{}<|eot_id|>",
    "Llama 3, a next turn": (
        "{}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nThe total is 7.<|eot_id|>"
    ),
    "Llama 3, a message": "{}<|eom_id|>",
    "Llama 3, from its beginning": "<|begin_of_text|>{}<|end_of_text|>",
    "Llama 4": "<|header_start|>assistant<|header_end|>\n\n{}<|eot|>",
    "Llama 2": "<s>{}</s>",
    "Llama 2, a next turn": "{}</s><s>[INST] The total is 7. [/INST]",
    "Mistral": "[/INST] {}</s>",
    "Mistral, the prompt before it": "[INST] What is it? 4? [/INST] {}</s>",
    "Llama 2, the prompt before it": "<s>[INST] <<SYS>>\nBrief.\n<</SYS>>\n\nIt? [/INST] {} </s>",
    "Llama 2, two turns before it": "<s>[INST] a [/INST] b </s><s>[INST] c [/INST] {}</s>",
    "the prompt before it, a next turn": "[INST] a [/INST] {}</s>[INST] The total is 7.",
    "Gemma": "<start_of_turn>model\n{}<end_of_turn>\n<eos>",
    "Gemma, a next turn": "{}<end_of_turn>\n<start_of_turn>user\nThe total is 7.",
    "Gemma 4": "<|turn>model\n{}<turn|>",
    "DeepSeek": "{}<｜end▁of▁sentence｜>",
    "DeepSeek, a next turn": "{}<｜end▁of▁sentence｜><｜User｜>The total is 7.",
    "Phi 3": "<|assistant|>\n{}<|end|>",
    "Phi 3, a next turn": "{}<|end|>\n<|user|>\nThe total is 7.<|end|>",
    "Phi 4": "<|im_start|>assistant<|im_sep|>{}<|im_end|>",
    "Zephyr, a next turn": "{}\n<|user|>\nThe total is 7.",
    "GLM": "{}<|observation|>",
    "Granite": "<|start_of_role|>assistant<|end_of_role|>{}<|end_of_text|>",
    "Kimi": "<|im_assistant|>assistant<|im_middle|>{}<|im_end|>",
    "Cohere": "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>{}<|END_OF_TURN_TOKEN|>",
    "EXAONE": "[|assistant|]{}[|endofturn|]",
    "Apertus": "<|assistant_start|>{}<|assistant_end|>",
    "Solar": "<|begin|>assistant<|content|>{}<|end|>",
    "Solar, its content": "<|content|>{}<|flush|>",
    "MiniMax": "]~b]ai\n{}[e~[",
    "Seed": "<seed:bos>assistant\n{}<seed:eos>",
    "gpt-oss": f"{H}<|channel|>final<|message|>{{}}<|return|>",
    "gpt-oss, no reasoning": "<|channel|>final<|message|>{}",
    "gpt-oss, a commentary": "<|channel|>commentary<|message|>{}<|end|>",
    "gpt-oss, a commentary without its end": "<|channel|>commentary<|message|>{}",
    "gpt-oss, its channel alone": "final<|message|>{}<|return|>",
    "gpt-oss, its role and channel": "assistantfinal<|message|>{}<|end|>",
    "gpt-oss, its words": "assistantfinal {}",
    "gpt-oss, its words glued": "assistantfinal{}",
    "gpt-oss, its words on a line": "assistantfinal\n\n{}",
    "gpt-oss, its role and words": "<|start|>assistantfinal{}",
    "gpt-oss, a message": "<|message|>{}<|end|>",
    "gpt-oss, a message of a role": f"{H}<|message|>{{}}<|end|>",
    "gpt-oss, a message begun": "<|message|>{}",
    "gpt-oss, a message on lines": "<|message|>\n{}\n<|end|>",
    "pads": "{}<end_of_turn><eos><pad><pad>",
    "pads alone": "{}<pad>",
    "pads on lines": "{}\n<pad>\n<pad>\n",
    "pads first": "<pad><pad><bos>{}",
    "other pads": "{}<|im_end|><|pad|><|padding|>",
    "pads in brackets": "[PAD][PAD]{}[PAD]",
    "Llama's pads": "{}<|eot_id|><|finetune_right_pad_id|>",
    "pads, a next turn": "{}<end_of_turn><pad>\nuser\nThe total is 7.",
    "an end, a next question": "{}<|endoftext|>Human: The total is 7.",
    "an end and a blank, a next question": "{}<|endoftext|> Human: The total is 7.",
    "a blank and an end, a next question": "{} <|endoftext|> Human: The total is 7.",
    "an end and a line, a next question": "{}<|endoftext|>\nHuman: The total is 7.",
    "an end on a line, a next question": "{}\n<|endoftext|>\nHuman: The total is 7.",
    "an end first on its line": "{}\n<|im_end|>Human: The total is 7.",
    "ChatML, words after": "{}<|im_end|>\nuser\nThe total is 7.",
    "Llama 3, words after": "{}<|eot_id|>user\n\nThe total is 7.<|eot_id|>",
    "Gemma, words after": "{}<end_of_turn>\nThe total is 7.<end_of_turn>",
    "Gemma, text after": "{}<eos>The total is 7.",
    "DeepSeek, words after": "{}<｜end▁of▁sentence｜>The total is 7.",
    "Mistral, words after": "{}</s>The total is 7.</s>",
    "Chinese after": "{}<|endoftext|>总计是7。",
    "an end first": "<|endoftext|>{}",
    "an end first on a line": "<|im_end|>\n{}<|im_end|>",
    "a next turn without an end": "{}<|im_start|>user\nThe total is 7.",
    "Mistral's instruction": "{}[/INST]",
    "Mistral's instruction and a blank": "{} [/INST]",
    "Mistral's instruction first": "[/INST]{}",
    "Mistral, a next instruction": "{}[INST] The total is 7. [/INST]",
    "Mistral, a next instruction after a blank": "{} [INST] The total is 7. [/INST]",
    "bytes of line ends": "<0x0A>{}<0x0A><0x0A>",
    "bytes of blanks": "<0x20>{}<0x09>",
    "bytes and an end": "{}<0x0A><|im_end|>",
}

# Tokens of bytes, and the characters that they are.
BYTES = {
    "a line end": ("a<0x0A>b", "a\nb"),
    "line ends": ("a:<0x0A><0x0A>- b<0x0A>- c", "a:\n\n- b\n- c"),
    "a line end after a blank": ("a. <0x0A>b", "a. \nb"),
    "a tab": ("a<0x09>b", "a\tb"),
    "small letters": ("a<0x0a>b", "a\nb"),
    "an emoji": ("a <0xF0><0x9F><0x98><0x80> b", "a \U0001f600 b"),
    "an emoji in quotes": ('a "<0xF0><0x9F><0x98><0x80>" b', 'a "\U0001f600" b'),
    "an accent": ("caf<0xC3><0xA9>", "café"),
    "half a character": ("a<0xC3>b", "a\ufffdb"),
    "in backticks": ("The token `<0x0A>` ends a line.", None),
    "in longer backticks": ("It is `a<0x0A>b` there.", None),
    "in quotes": ('The token "<0x0A>" ends a line.', None),
    "in a sentence": ("The token <0x0A> ends a line.", None),
    "in a block": ("It is:\n```text\na<0x0A>b\n<0x0A>\n```\nSo.", None),
    "a number": ("The address is 0x0A.", None),
    "a tag": ("The tag <0x0AB> is none.", None),
}


def test_question_behind_the_end_of_a_quoted_answer_is_dropped(subtests: pytest.Subtests) -> None:
    for answer in ["“a”", '"a"', "It is 'a'.", "`a`", "`f(x)`", "**a**", "(a)", "5 %"]:
        with subtests.test(answer=answer):
            text = f"{answer}<|endoftext|>Human: and `b`, or 'c'?"
            assert read(ModelReply(text), ActionFormat.TOOLS).answer == answer


@pytest.mark.parametrize("between", [f"<|end|>{H}<|channel|>final", "<|return|><|channel|>final"])
def test_two_messages_of_the_final_channel_are_the_answer(between: str) -> None:
    text = f"<|channel|>final<|message|>The total is 42.{between}<|message|>That is all.<|return|>"
    action = read(ModelReply(text), ActionFormat.TOOLS)
    assert action.answer == "The total is 42.\n\nThat is all."


BLOCK = "```python\nprint('<think>')\n```"
MARKED = f"{START}\nprint(1)\n{END}"


def test_reasoning_is_taken_out_in_every_format(subtests: pytest.Subtests) -> None:
    for name, form in REASONED.items():
        for action_format in ActionFormat:
            with subtests.test(name, action_format=action_format):
                action = read(ModelReply(form.format(SAID), finish_reason="stop"), action_format)
                assert (action.status, action.answer) == (StepStatus.ANSWER, SAID)
                assert action.thought == "deep"
                assert action.spoken == SAID


def test_tokens_of_turns_are_taken_out_in_every_format(subtests: pytest.Subtests) -> None:
    for name, form in ENDED.items():
        for action_format in ActionFormat:
            with subtests.test(name, action_format=action_format):
                action = read(ModelReply(form.format(SAID), finish_reason="stop"), action_format)
                assert (action.status, action.answer) == (StepStatus.ANSWER, SAID)


def test_code_is_found_among_special_tokens(subtests: pytest.Subtests) -> None:
    for name, form in (REASONED | ENDED).items():
        with subtests.test(name):
            fenced = read(ModelReply(form.format(BLOCK)), ActionFormat.FENCED)
            assert (fenced.status, fenced.code) == (StepStatus.OK, "print('<think>')")
            marked = read(
                ModelReply(form.format(MARKED), finish_reason="stop"), ActionFormat.MARKERS
            )
            assert (marked.status, marked.code) == (StepStatus.OK, "print(1)")
            call = ToolCall("c1", TOOL_NAME, '{"code": "print(1)"}')
            tools = read(ModelReply(form.format(SAID), tool_calls=(call,)), ActionFormat.TOOLS)
            assert (tools.code, tools.spoken) == ("print(1)", SAID)


def test_bytes_are_the_characters_that_they_stand_for(subtests: pytest.Subtests) -> None:
    for name, (text, shown) in BYTES.items():
        for action_format in ActionFormat:
            with subtests.test(name, action_format=action_format):
                assert read(ModelReply(text), action_format).answer == (shown or text)


def test_code_whose_lines_end_with_bytes_is_read() -> None:
    text = "So:<0x0A>```python<0x0A>for a in b:<0x0A>    print(a)<0x0A>```<0x0A>"
    assert read(ModelReply(text), ActionFormat.FENCED).code == "for a in b:\n    print(a)"


TALK = {
    "Granite's response alone": "The total is 42.\nHere is my response: it is 42.",
    "Granite's thoughts alone": "Here is my thought process: I added them. It is 42.",
    "a word on its line": "all\nfiles were read",
    "other ends in a sentence": "The tokens <|end_of_turn|> and <|role_end|> came 3 times.",
    "a role in a sentence": "Ling writes <role>HUMAN</role> before each question.",
    "a recipient in a sentence": "Functionary writes >>>all\nbefore its words.",
    "a tag in backticks": "Reasoning stands between `<think>` and `</think>`.",
    "a tag at the end of a line": "Reasoning ends with `</think>`\nas a rule.",
    "a tag in quotes": "Closed by '</think>'.",
    "a tag in a sentence": "The tag </think> closes it.",
    "tokens in backticks": "Its turns end with `<|im_end|>` and begin with `<|im_start|>user`.",
    "a token in backticks at the end": "Its turns end with `<|im_end|>`",
    "a token in a sentence": "The token <|im_end|> was counted 3 times.",
    "a channel in backticks": "It writes `<|channel|>analysis<|message|>` first.",
    "a channel in a sentence": "It writes <|channel|>analysis<|message|> first.",
    "a whole channel in backticks": f"It writes `<|end|>{H}<|channel|>final<|message|>` then.",
    "HTML that is struck through": "The price is <s>40</s>",
    "HTML in a sentence": "The text has </s> without its <s> once.",
    "channels of a picture": "analysis of the final channel",
    "a block with a tag": "Its template:\n```text\n<think>\nhm\n</think>\n```\nThat is all.",
    "a block with turns": "It is:\n```jinja\n<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n```\nSo.",
    "a block with channels": f"So:\n```text\n<|channel|>analysis<|message|>a<|end|>{H}\n```\nSo.",
    "a block with an end": "So:\n~~~text\n</s>\n~~~",
    "an end among words in backticks": "Each is `a<|im_end|>b` then. It is 5.",
    "an end in two backticks": "Each is ``<|im_end|>Human: `` then. It is 5.",
    "an end in quotes": 'Each is "a<|im_end|>b" then. It is 5.',
    "an end in parentheses": "The token (<|im_end|>) was counted 3 times.",
    "ends in a list": "The tokens: <|im_end|>, <|endoftext|>, <pad> and <eos>.",
    "ends with slashes": "The tokens are <|im_end|>/<|endoftext|>/<eos> there.",
    "an end and a comma": "It ends with <|im_end|>, as a rule.",
    "ends in bullets": "- <|im_end|>: Qwen\n- <|eot_id|>: Llama\n- <pad>: Gemma\n\nThat is all.",
    "an end first in a sentence": "Qwen has two.\n<|im_end|> is one of them.",
    "a pad in backticks": "It is filled with `<pad>` up to its length.",
    "pads in a sentence": "The text <pad> is in the data, 17 times.",
    "an instruction in a sentence": "The marks [INST] and [/INST] stand around it. It is 5.",
    "an instruction in backticks": "It is `[INST] a [/INST]` there. It is 5.",
    "a header in backticks": "It writes `final<|message|>` and `assistantfinal` first.",
    "a header in a sentence": "It writes assistantfinal before it, and final<|message|> too.",
    "a header first": "final<|message|> is its header.",
    "a message in a sentence": "Between <|message|> and <|end|> it is text.",
    "a message first": "<|message|> stands before <|end|> in it.",
    "a table of tokens": "| token | of |\n|---|---|\n| `<|im_end|>` | Qwen |\n| `<pad>` | Gemma |",
    "struck through and more": "The price is <s>40</s>35 now, once <s>30</s>.",
    "a block with pads": "It is:\n```text\na<eos><pad>\nb<|endoftext|>Human: c\n```\nSo.",
    "a box": "The mark `<|begin_of_box|>` is GLM's.",
}  # fmt: skip


def test_text_about_special_tokens_stays(subtests: pytest.Subtests) -> None:
    for name, text in TALK.items():
        for action_format in [ActionFormat.FENCED, ActionFormat.TOOLS]:
            with subtests.test(name, action_format=action_format):
                action = read(ModelReply(text), action_format)
                assert (action.answer, action.thought) == (text, "")


CODE = {
    "tags": 'prompt = """\n<think>\nhm\n</think>\n"""',
    "a lone closing tag": 'text = text.split("\n</think>\n")[-1]',
    "turns": 'prompt = f"""<|im_start|>user\n{query}<|im_end|>\n<|im_start|>assistant\n"""',
    "the end of a turn": "print(text.removesuffix('<|im_end|>'))\n# <|im_end|>",
    "channels": 'a = """\n<|channel|>analysis<|message|>a<|end|>' + H + '"""',
    "ends among words": "text = f'{a}<|im_end|>{b}<|endoftext|>Human: <0x0A>'",
    "headers": 'text = """\nassistantfinal a\nfinal<|message|>b\n<|message|>c<|end|>\n"""',
    "pads": 'text = "a<pad>b"\n# <pad>\n# [/INST]',
    "struck through": 'html = "<s>4</s>"\n# </s>',
}


def test_special_tokens_in_code_stay(subtests: pytest.Subtests) -> None:
    for name, code in CODE.items():
        with subtests.test(name):
            for around in ("{}", "<think>deep</think>{}", "deep\n</think>\nSo:\n{}<|im_end|>"):
                text = around.format(f"```python\n{code}\n```")
                assert read(ModelReply(text), ActionFormat.FENCED).code == code
            text = f"{START}\n{code}\n{END}<|im_end|>"
            assert read(ModelReply(text), ActionFormat.MARKERS).code == code


def test_special_tokens_in_a_call_in_the_text_stay(subtests: pytest.Subtests) -> None:
    for name, code in CODE.items():
        with subtests.test(name):
            arguments = json.dumps({"code": code})
            for call in (
                f"<tool_call>\n<function={TOOL_NAME}>\n<parameter=code>\n{code}\n</parameter>\n</function>\n"
                "</tool_call>",
                f'<tool_call>{{"name": "{TOOL_NAME}", "arguments": {arguments}}}</tool_call>',
                f"[TOOL_CALLS]{TOOL_NAME}[ARGS]{arguments}",
            ):
                assert read(ModelReply(f"{call}<|im_end|>"), ActionFormat.TOOLS).code == code


LEFT = (
    "pads",
    "an end, a next question",
    "gpt-oss, its words",
    "gpt-oss, a message",
    "bytes and an end",
)


async def test_leftovers_are_taken_out_streamed_and_whole(subtests: pytest.Subtests) -> None:
    for is_streamed in [True, False]:
        for name, form in zip(LEFT, [ENDED[name] for name in LEFT], strict=True):
            with subtests.test(name, is_streamed=is_streamed):
                text = form.format(SAID)
                pieces = (chunk({"content": text[at : at + 3]}) for at in range(0, len(text), 3))
                streamed = endpoint_server.stream(*pieces, chunk({}, "stop"), DONE)
                with misbehaving(
                    streamed if is_streamed else endpoint_server.completion(text)
                ) as server:
                    reply = await ask(server, stream=is_streamed)
                for action_format in ActionFormat:
                    assert read(reply, action_format).answer == SAID


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_channels_are_taken_out_streamed_and_whole(is_streamed: bool) -> None:
    text = REASONED["gpt-oss, whole"].format(BLOCK)
    if is_streamed:
        pieces = (chunk({"content": text[at : at + 5]}) for at in range(0, len(text), 5))
        answer = endpoint_server.stream(*pieces, chunk({}, "stop"), DONE)
    else:
        answer = endpoint_server.completion(text)
    with misbehaving(answer) as server:
        action = read(await ask(server, stream=is_streamed), ActionFormat.FENCED)
    assert (action.code, action.thought) == ("print('<think>')", "deep")


UNFINISHED = {
    "reasoning alone": "<think>so much to think about",
    "a channel alone": "<|channel|>analysis<|message|>so much to think about",
    "a channel that ended": "<|channel|>analysis<|message|>so much to think about<|end|>",
    "Mistral's": "[THINK]so much to think about",
}


def test_reasoning_without_an_answer_is_no_answer(subtests: pytest.Subtests) -> None:
    for name, text in UNFINISHED.items():
        for action_format in ActionFormat:
            with subtests.test(name, action_format=action_format):
                action = read(ModelReply(text), action_format)
                assert (action.status, action.thought) == (
                    StepStatus.MALFORMED,
                    "so much to think about",
                )


def test_fence_that_reasoning_left_open_is_no_block() -> None:
    text = "I would write\n```python\nno\n</think>\n\n```python\nyes\n```"
    assert read(ModelReply(text), ActionFormat.FENCED).code == "yes"
