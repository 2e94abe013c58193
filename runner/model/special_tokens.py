"""Takes special tokens that a server left in a reply's text out of it, and the reasoning with them.

A server without a reasoning parser, or with a wrong chat template, passes on the tokens by which a
model marks its reasoning, its channels and the end of its turn. A token counts where models write
it: at the beginning of a line, at the end of a message, next to another one. In code, in backticks
or within a sentence it is text. One pass: the text may be megabytes of tokens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from runner.model.code_blocks import (
    END,
    MOST_INFO_CHARS,
    MOST_LEAD_CHARS,
    OPENING,
    START,
    closing_line,
    next_opening,
    opens_block,
)

MOST_MARKS = 2_000  # read in one reply; the rest is text like any other
MOST_BLANKS = 200  # before a token on its line


@dataclass(frozen=True)
class Reasoning:
    """The tokens around reasoning, as patterns; `models` write them."""

    models: str
    opens: str
    closes: str


REASONING = (
    Reasoning(
        "DeepSeek, Qwen, GLM, MiniMax, Nemotron; with a name before it: Seed, LongCat",
        r"<(?:[a-z]{1,12}[:_])?(?:think|thinking|thought|reasoning)>",
        r"</(?:[a-z]{1,12}[:_])?(?:think|thinking|thought|reasoning)>",
    ),
    Reasoning("Mistral", r"\[THINK\]", r"\[/THINK\]"),
    Reasoning("Cohere", r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),
    Reasoning("Gemma 4", r"<\|channel>(?:thought|analysis)\b", r"<channel\|>"),
    Reasoning("MedGemma", r"<unused94>(?:thought\b)?", r"<unused95>"),
    Reasoning("Kimi K3", r"<\|open\|>think<\|sep\|>", r"<\|close\|>think<\|sep\|>"),
    Reasoning("Kimi-VL", r"◁think▷", r"◁/think▷"),
    Reasoning("Sky-T1, OpenThinker", r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),
    Reasoning("Apertus", r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),
    Reasoning("Pangu", r"\[unused16\]", r"\[unused17\]"),
)

ROLES = r"(?:assistant|model|ai|user|human|system|developer|tool|ipython|function|observation)"
STARTS = (  # of a turn, each with the role that has it
    rf"<\|im_start\|>[ \t]*+{ROLES}\b(?:<\|im_sep\|>)?",  # ChatML: Qwen, SmolLM, Yi; Phi 4
    rf"<\|start_header_id\|>\s?{ROLES}\s?<\|end_header_id\|>",  # Llama 3
    rf"<\|header_start\|>{ROLES}<\|header_end\|>",  # Llama 4
    rf"<start_of_turn>{ROLES}\b",  # Gemma
    rf"<\|turn>{ROLES}\b",  # Gemma 4
    rf"<\|start_of_role\|>{ROLES}<\|end_of_role\|>",  # Granite
    r"<\|im_(?:assistant|user|system)\|>[\w ]{0,40}<\|im_middle\|>",  # Kimi K2
    rf"<\|open\|>message {ROLES}<\|sep\|>",
    r"<\|open\|>response<\|sep\|>",  # Kimi K3
    r"<｜(?:Assistant|User)｜>",  # DeepSeek
    rf"<\|{ROLES}\|>",  # GLM, Phi 3, Zephyr
    rf"<\|{ROLES}_start\|>",  # Apertus
    rf"\[\|{ROLES}\|\]",  # EXAONE
    r"<\|START_OF_TURN_TOKEN\|><\|(?:CHATBOT|USER|SYSTEM)_TOKEN\|>",
    r"<\|START_(?:RESPONSE|TEXT)\|>",  # Cohere
    rf"<seed:bos>\s?{ROLES}\b",  # Seed
    rf"\]~b\]{ROLES}\b",  # MiniMax
    rf"<\|start\|>{ROLES}\b(?!\s++to=)(?!<\|channel\|>)",  # gpt-oss; its channels are HEADER's
    r"<\|begin_of_solution\|>",
    r"\[/?INST\]",  # Mistral, Llama 2
    r"<s>(?!\w)|<bos>|<\|begin_of_text\|>|<\|startoftext\|>|<｜begin▁of▁sentence｜>",
)
ENDS = (  # of a message, a turn or a text
    "<|im_end|>", "<|endoftext|>",  # ChatML
    "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|eot|>", "<|eom|>",  # Llama, Granite
    "</s>", "<end_of_turn>", "<turn|>", "<eos>",  # Mistral, Llama 2, Gemma
    "<｜end▁of▁sentence｜>",  # DeepSeek
    "<|end|>", "<|return|>", "<|call|>",  # gpt-oss, Phi
    "<|user|>", "<|observation|>",  # GLM: at which its servers ought to stop
    "<|END_OF_TURN_TOKEN|>", "<|END_RESPONSE|>", "<|END_TEXT|>",  # Cohere
    "<|close|>response<|sep|>", "<|close|>message<|sep|>", "<|end_of_msg|>",  # Kimi K3
    "<seed:eos>", "[|endofturn|]", "<|assistant_end|>", "[e~[", "<|eos|>", "<|end_of_solution|>",
)  # fmt: skip
WRAPPERS = (("<answer>", "</answer>"), ("<response>", "</response>"))  # Hunyuan, ERNIE: of the rest
OTHERS = re.compile(r"user|human|system|developer|tool|ipython|function|observation|\[INST", re.I)

TURN_START = re.compile("|".join(STARTS), re.IGNORECASE)
TURN_END = "|".join(map(re.escape, ENDS))
TURNS = re.compile(rf"(?:(?:{TURN_START.pattern}|{TURN_END})\s*+)++", re.IGNORECASE)
LEAD = re.compile(rf"\s*+(?:(?:{TURN_START.pattern})\s*+)++", re.IGNORECASE)
# gpt-oss: <|start|>assistant<|channel|>analysis<|message|> … <|end|>, after other messages or not.
HEADER = (
    r"(?:<\|(?:end|return|call)\|>\s*+)?+(?:<\|start\|>(?P<role>[^<>\n]{0,120}+))?+"
    r"<\|channel\|>(?P<channel>analysis|commentary|final)(?P<rest>[^<>\n]{0,200}+)"
    r"(?:<\|constrain\|>[^<>\n]{0,40}+)?+<\|message\|>"
)
MESSAGE_ENDS = ("<|end|>", "<|return|>", "<|call|>")
MESSAGE_END = re.compile(
    r"<\|(?:end|return|call)\|>(?=\s*+(?:<\|(?:start|channel)\|>|\Z))|(?=<\|(?:start|channel)\|>)"
)
# gpt-oss where a server left out the tokens alone: analysis … assistantfinal …
BARE_LEAD, BARE_FINAL, BARE_CALL = "analysis", "assistantfinal", "assistantcommentary to="
LONE_CLOSING = re.compile("|".join(row.closes for row in REASONING), re.IGNORECASE)
QUOTES = ("`", '"', "'", "“", "”", "‘", "’", "「", "」")
CLOSES = [re.compile(row.closes, re.IGNORECASE) for row in REASONING]
OPENS = (f"(?P<opens{number}>{row.opens})" for number, row in enumerate(REASONING))
BOX = r"<\|(?:begin|end)_of_box\|>"  # GLM-4.5V, around its result
MARK = re.compile(
    "|".join(
        (
            f"(?P<header>{HEADER})",
            *OPENS,
            f"(?P<lone>{LONE_CLOSING.pattern})",
            f"(?P<box>{BOX})",
            f"(?P<turns>{TURNS.pattern})",
            "(?P<fence>`{3,}+|~{3,}+)",
            f"(?P<code>{re.escape(START)})",
        )
    ),
    re.IGNORECASE,
)
CLOSED_BY_END = re.compile(
    rf"^[^\S\n]*+(?:`{{3,}}+|~{{3,}}+)(?=[^\S\n]*+(?:{TURN_END}))", re.MULTILINE
)


def split_reasoning(text: str) -> tuple[str, str]:
    """The reasoning in `text`, and the rest of it, both without special tokens.

    A lone closing token ends reasoning that began in the prompt; a leading block that is never
    closed takes all. What follows the end of the turn is another's, whom the model imagined.
    """
    if text.startswith(BARE_LEAD):
        if (final := text.rfind(BARE_FINAL)) > 0:
            answer = without_turns(text[final + len(BARE_FINAL) :])
            return text[len(BARE_LEAD) : final].strip(), answer
        if (call := text.find(BARE_CALL)) > 0:
            return text[len(BARE_LEAD) : call].strip(), text[call:].strip()
    split = Split(without_turns(text))
    split.read()
    spoken = without_turns("".join(split.spoken))
    for start, end in WRAPPERS if split.reasoning else ():
        if spoken.startswith(start):
            spoken = spoken.removeprefix(start).removesuffix(end).strip()
    return join(*split.reasoning), spoken


@dataclass
class Split:
    """A text while it is split."""

    text: str
    spoken: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    begun: int = 0  # where the piece that is looked at begins
    position: int = 0  # up to where it was looked at
    is_speaking: bool = False  # more than blanks was spoken
    has_fences: bool = True  # none was left open
    unclosed: set[int] = field(default_factory=set)  # rows of REASONING that close no more

    def read(self) -> None:
        for _ in range(MOST_MARKS):
            mark = MARK.search(self.text, self.position)
            if mark is None:
                break
            self.position = mark.end()
            self.take(mark)
        self.keep(len(self.text), self.spoken)

    def take(self, mark: re.Match[str]) -> None:
        """Cut the text at a token, if it is one here."""
        kind = mark.lastgroup or ""
        if mark["header"]:
            self.take_header(mark)
        elif kind.startswith("opens"):
            if is_edge(self.text, mark.start(), self.begun):
                self.take_reasoning(mark, int(kind.removeprefix("opens")))
        elif kind == "lone":
            if is_lone_closing(self.text, mark):
                self.end_lone(mark)
        elif kind == "box":
            if not is_quoted(self.text, mark):
                self.keep(mark.start(), self.spoken, mark.end())
        elif kind == "turns":
            self.take_turns(mark)
        elif kind == "code":
            self.position = max(self.position, self.text.find(END, mark.end()))
        elif self.has_fences:
            self.pass_block(mark)

    def keep(self, end: int, to: list[str], begun: int | None = None) -> None:
        """Put the piece up to `end` where it belongs; the next begins at `begun`."""
        piece = self.text[self.begun : end]
        self.is_speaking = self.is_speaking or (to is self.spoken and bool(piece.strip()))
        to.append(piece)
        self.begun = self.position = end if begun is None else begun

    def end_lone(self, mark: re.Match[str]) -> None:
        """All so far was reasoning."""
        self.keep(mark.start(), self.spoken, mark.end())
        self.reasoning += self.spoken
        self.spoken.clear()
        self.is_speaking = False

    def take_reasoning(self, mark: re.Match[str], row: int) -> None:
        self.keep(mark.start(), self.spoken, mark.end())
        end = None if row in self.unclosed else CLOSES[row].search(self.text, mark.end())
        if end is not None:
            self.keep(end.start(), self.reasoning, end.end())
        elif not self.is_speaking:
            self.keep(len(self.text), self.reasoning)
        else:
            self.unclosed.add(row)

    def take_header(self, mark: re.Match[str]) -> None:
        """A message of a channel: its reasoning, or with the final one all before it."""
        is_next = mark["header"].startswith(MESSAGE_ENDS) and not is_quoted(self.text, mark)
        if not is_next and not is_edge(self.text, mark.start(), self.begun):
            return
        if self.is_speaking and mark["header"].startswith("<|call|>"):
            self.end_turn(mark)  # the result, and what follows from it, is imagined
        elif mark["channel"] == "final":
            self.end_lone(mark)
        elif "to=" not in f"{mark['role'] or ''}{mark['rest']}":  # else it is a call
            self.keep(mark.start(), self.spoken, mark.end())
            end = MESSAGE_END.search(self.text, mark.end())
            self.keep(end.start() if end else len(self.text), self.reasoning)

    def take_turns(self, mark: re.Match[str]) -> None:
        """The end of a turn and the beginning of another: of the model's own, it goes on."""
        start = TURN_START.search(mark[0])
        if start is None or is_quoted(self.text, mark):
            return
        if not start.start() and not is_edge(self.text, mark.start(), self.begun):
            return  # no end before it
        self.keep(mark.start(), self.spoken, mark.end())
        if not OTHERS.search(mark[0], start.start()):
            self.spoken.append("\n")
        elif self.is_speaking:
            self.keep(len(self.text), self.reasoning)

    def end_turn(self, mark: re.Match[str]) -> None:
        """What follows is another's turn, which the model imagined."""
        self.keep(mark.start(), self.spoken, mark.end())
        self.keep(len(self.text), self.reasoning)

    def pass_block(self, fence: re.Match[str]) -> None:
        """Pass over a fenced block: what looks like a token in it is code."""
        head = self.text[max(self.begun, fence.start() - MOST_LEAD_CHARS - 1) : fence.start()]
        line = fence.start() - len(head.rpartition("\n")[2])
        end = self.text.find("\n", fence.end())
        end = len(self.text) if end < 0 else end
        opening = OPENING.match(self.text[line : min(end, fence.end() + MOST_INFO_CHARS)])
        if opening is None or not opens_block(opening):
            return
        start = min(end + 1, len(self.text))
        close = closing_line(self.text, start, opening["fence"], True)
        if close is None:
            self.has_fences = False
            return
        end = close.end()
        if cut := CLOSED_BY_END.search(self.text, start, end):
            end = cut.end()
        lone = LONE_CLOSING.search(self.text, start, end)
        while lone is not None and not is_lone_closing(self.text, lone):
            lone = LONE_CLOSING.search(self.text, lone.end(), end)
        later = next_opening(self.text, lone.end()) if lone else None
        if lone and later and later.start() < end and later["info"].strip():
            end = lone.start()  # the fence was reasoning, and never closed
        self.position = end


def without_turns(text: str) -> str:
    """`text` without the tokens of turns at its beginning and end."""
    lead = LEAD.match(text)
    start = lead.end() if lead else 0
    end, struck = len(text.rstrip()), text.find("<s>", start)
    while token := next((t for t in ENDS if text.endswith(t, start, end)), ""):
        if token == "</s>" and start < struck < end:
            break  # HTML: a text that is struck through
        if token == "</s>" and struck == start < end:
            start += len("<s>")
        end -= len(token)
        while end > start and text[end - 1].isspace():
            end -= 1
    return text[start:end].strip()


def is_edge(text: str, position: int, begun: int) -> bool:
    """True if a line or a piece begins at `position`, blanks aside."""
    head = text[max(begun, position - MOST_BLANKS) : position].rstrip(" \t")
    return head.endswith("\n") or (not head and position - begun <= MOST_BLANKS)


def is_quoted(text: str, mark: re.Match[str]) -> bool:
    """True for a token that is a word of a sentence: in backticks or quotes."""
    before, after = text[max(0, mark.start() - 3) : mark.start()], text[mark.end() : mark.end() + 3]
    is_fence = before == "```" or after == "```"
    return not is_fence and (before.endswith(QUOTES) or after.startswith(QUOTES))


def is_lone_closing(text: str, tag: re.Match[str]) -> bool:
    """True if a closing token without an opening one stands where a model writes it.

    That is at the edge of a line, or between a sentence and the next word without any blank.
    """
    before, after = text[max(0, tag.start() - 1) : tag.start()], text[tag.end() : tag.end() + 1]
    if before in ("", "\n") or after in ("", "\n", "\r"):
        return True
    return before in ".!?。！？" and after.isalnum()


def join(*parts: str) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip())
