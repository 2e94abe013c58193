"""Takes special tokens that a server left in a reply's text out of it, and the reasoning with them.

A server without a reasoning parser, or with a wrong chat template, passes on the tokens by which a
model marks its reasoning, its channels and the end of its turn, or the bytes of its characters.
A token counts where models write it: at the beginning of a line, at the end of a message, right
behind a word, next to another one. In code, in backticks or within a sentence it is text. One pass:
the text may be megabytes of tokens.
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
    find_blocks,
    in_backticks,
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
    ends_alone: bool = True  # what closes it does so without what opens it


GRANITE = r"Here(?: is|['’]s) my"
REASONING = (
    Reasoning(
        "DeepSeek, Qwen, GLM, MiniMax, Nemotron; with a name before it: Seed, LongCat",
        r"<(?:[a-z]{1,12}[:_])?(?:think|thinking|thought|reasoning|scratch_?pad)>",
        r"</(?:[a-z]{1,12}[:_])?(?:think|thinking|thought|reasoning|scratch_?pad)>",
    ),
    Reasoning(
        "Granite 3.2: in words, which begin the reply",
        rf"\A{GRANITE} thought process:(?=[\s\S]*?{GRANITE} response:)",
        rf"{GRANITE} response:",
        ends_alone=False,
    ),
    Reasoning("Mistral", r"\[THINK\]", r"\[/THINK\]"),
    Reasoning("Cohere", r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),
    Reasoning("Gemma 4", r"<\|channel>(?:thought|analysis)\b", r"<channel\|>"),
    Reasoning("MedGemma", r"<unused94>(?:thought\b)?", r"<unused95>"),
    Reasoning("Kimi K3", r"<\|open\|>think<\|sep\|>", r"<\|close\|>think<\|sep\|>"),
    Reasoning("Kimi-VL", r"◁think▷", r"◁/think▷"),
    Reasoning("Sky-T1, OpenThinker", r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),
    Reasoning("MiniCPM", r"<\|thought_start\|>", r"<\|thought_end\|>"),
    Reasoning("Apertus", r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),
    Reasoning("Solar", r"<\|think\|>", r"<\|end\|>\s*+<\|begin\|>assistant(?:<\|content\|>)?"),
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
    r"<\|begin\|>assistant(?:<\|content\|>)?|<\|content\|>",  # Solar
    r"<\|begin_of_solution\|>",
    r"\[/?INST\]",  # Mistral, Llama 2
    rf"<role>{ROLES}</role>|<｜hy_(?:Assistant|User)｜>|<\|begin_of_sentence\|>",  # Ling, Hunyuan
    rf"<\|from\|>\s?{ROLES}\s?(?:<\|recipient\|>\s?all\s?)?<\|content\|>",  # Functionary 2
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
    "<|end_of_turn|>", "<|end_of_sentence|>", "<|end▁of▁sentence|>",  # OpenChat, ERNIE
    "<|role_end|>", "<|endofassistant|>", "<|endofresponse|>", "<|stop|>",  # Ling, dots
    "</longcat_s>", "<SPECIAL_12>", "[UNUSED_TOKEN_145]",  # LongCat, Nemotron, InternLM
    "<|close|>response<|sep|>", "<|close|>message<|sep|>", "<|end_of_msg|>",  # Kimi K3
    "<seed:eos>", "[|endofturn|]", "<|assistant_end|>", "[e~[", "<|eos|>", "<|end_of_solution|>",
    "[/INST]", "[INST]",  # Mistral, Llama 2: around what is asked next
    "<pad>", "<|pad|>", "<|padding|>", "[PAD]", "<|finetune_right_pad_id|>",  # behind an end
)  # fmt: skip
WRAPPERS = (("<answer>", "</answer>"), ("<response>", "</response>"))  # Hunyuan, ERNIE: of the rest
OTHERS = re.compile(r"user|human|system|developer|tool|ipython|function|observation|\[INST", re.I)

TURN_START = re.compile("|".join(STARTS), re.IGNORECASE)
TURN_END = "|".join(map(re.escape, ENDS))
TURNS = re.compile(rf"(?:(?:{TURN_START.pattern}|{TURN_END})\s*+)++", re.IGNORECASE)
LEAD = re.compile(
    rf"\s*+(?:(?:{TURN_START.pattern}|<\|?pad(?:ding)?\|?>|\[PAD\])\s*+)++", re.IGNORECASE
)
# gpt-oss: <|start|>assistant<|channel|>analysis<|message|> … <|end|>, after other messages or not.
HEADER = (
    r"(?:<\|(?:end|return|call)\|>\s*+)?+(?:<\|start\|>(?P<role>[^<>\n]{0,120}+))?+"
    r"<\|channel\|>(?P<channel>analysis|commentary|final)(?P<rest>[^<>\n]{0,200}+)"
    r"(?:<\|constrain\|>[^<>\n]{0,40}+)?+<\|message\|>"
)
# The same where a server left out some of the tokens: final<|message|> …, assistantfinal …
BARE = (
    r"(?:<\|(?:end|return|call)\|>\s*+)?+(?:<\|start\|>)?+"
    r"(?:(?:assistant)?+(?:analysis|commentary|final)?+<\|message\|>|assistantfinal)"
)
MESSAGE_ENDS = ("<|end|>", "<|return|>", "<|call|>")
MESSAGE_END = re.compile(
    r"<\|(?:end|return|call)\|>(?=\s*+(?:<\|(?:start|channel)\|>|(?:assistant)?+final|\Z))"
    r"|(?=<\|(?:start|channel)\|>)"
)
# gpt-oss where a server left out the tokens alone: analysis … assistantfinal …
BARE_LEADS = ("analysis", "assistantanalysis")
BARE_FINAL, BARE_CALL = "assistantfinal", "assistantcommentary to="
# Functionary's, to whom a message goes; Llama 3's, where a server left out the tokens around it.
BARE_ROLE = re.compile(r"\A(?:>>>all[ \t]*+\n|all\n(?=[^\W\d_a-z]|`|<\|)|assistant\n{1,2}(?=\S))")
LONE_CLOSING = re.compile(
    "|".join(row.closes for row in REASONING if row.ends_alone), re.IGNORECASE
)
ECHO = re.compile(r"\s*+(?:<s>\s*+)?+\[INST\]")
NEXT_ECHO = re.compile(r"</s>\s*+(?:<s>\s*+)?+\[INST\]")
ECHO_END = "[/INST]"
QUOTES = ("`", '"', "'", "“", "”", "‘", "’", "「", "」")
CLOSING_QUOTES = (*QUOTES, "»", "«", "›", "‹", "』")
PUNCTUATION = tuple(",.;:)]}/|'\"`")  # behind a word of a sentence
OPENING_SIGNS = ("(", "[", "{", "/", ",", "|", "=", "<")
CLOSING_SIGNS = (".", "!", "?", "…", ")", "]", "}", "*", "%", "`", '"', "'")
CALL_ENDS = ("}", "]", ")", ">")
SENTENCE_ENDS = ("```", ".", "!", "?", "…", "。", "！", "？")
BYTES = re.compile(r"(?:<0x[0-9A-Fa-f]{2}>)++")
CLOSES = [re.compile(row.closes, re.IGNORECASE) for row in REASONING]
OPENS = (f"(?P<opens{number}>{row.opens})" for number, row in enumerate(REASONING))
LEFT_OUT = r"<\|(?:begin|end)_of_box\|>|<\|flush\|>"  # GLM-4.5V, around its result; Solar
MARK = re.compile(
    "|".join(
        (
            f"(?P<header>{HEADER})",
            f"(?P<bare>{BARE})",
            *OPENS,
            f"(?P<lone>{LONE_CLOSING.pattern})",
            f"(?P<left_out>{LEFT_OUT})",
            f"(?P<turns>{TURNS.pattern})",
            "(?P<fence>`{3,}+|~{3,}+)",
            f"(?P<code>{re.escape(START)})",
            r"(?P<element><(?P<tag>tool_call|parameter|function|invoke)\b[^<>\n]{0,80}+>)",
        )
    ),
    re.IGNORECASE,
)
CLOSED_BY_END = re.compile(
    rf"^[^\S\n]*+(?:`{{3,}}+|~{{3,}}+)(?=[^\S\n]*+(?:{TURN_START.pattern}|{TURN_END}))",
    re.MULTILINE | re.IGNORECASE,
)


def split_reasoning(text: str) -> tuple[str, str]:
    """The reasoning in `text`, and the rest of it, both without special tokens.

    A lone closing token ends reasoning that began in the prompt; a leading block that is never
    closed takes all. What follows the end of the turn is another's, whom the model imagined.
    """
    text = without_echo(without_byte_tokens(text))
    lead = next((lead for lead in BARE_LEADS if text.startswith(lead)), "")
    if lead and "<|message|>" not in text:
        if (final := text.rfind(BARE_FINAL)) > 0:
            answer = without_turns(text[final + len(BARE_FINAL) :])
            return text[len(lead) : final].strip(), answer
        if (call := text.find(BARE_CALL)) > 0:
            return text[len(lead) : call].strip(), text[call:].strip()
    split = Split(BARE_ROLE.sub("", without_turns(text), count=1))
    split.read()
    if not split.is_speaking and split.commentary >= 0:
        split.spoken.append(split.reasoning.pop(split.commentary))
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
    is_final: bool = False  # what was spoken is a message of the final channel
    commentary: int = -1  # place in the reasoning of the last message, if it was a commentary
    has_fences: bool = True  # none was left open
    unclosed: set[int | str] = field(default_factory=set)  # rows of REASONING, and elements
    struck: int = -1  # where HTML's <s> is first
    counted: int = 0  # up to where quotes were
    quotes: int = 0  # on its line

    def read(self) -> None:
        self.struck = self.text.find("<s>")
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
        elif mark["bare"]:
            self.take_bare_header(mark)
        elif kind.startswith("opens"):
            if is_edge(self.text, mark.start(), self.begun):
                self.take_reasoning(mark, int(kind.removeprefix("opens")))
        elif kind == "lone":
            if is_lone_closing(self.text, mark):
                self.end_lone(mark)
        elif kind == "left_out":
            if not is_quoted(self.text, mark):
                self.keep(mark.start(), self.spoken, mark.end())
        elif kind == "turns":
            self.take_turns(mark)
        elif kind == "code":
            self.position = max(self.position, self.text.find(END, mark.end()))
        elif kind == "element":
            self.pass_element(mark)
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
        if mark["header"].startswith("<|call|>") and self.text[self.begun : mark.start()].strip():
            self.end_turn(mark)  # the result, and what follows from it, is imagined
        elif mark["channel"] == "final":
            self.take_final(mark)
        elif "to=" not in f"{mark['role'] or ''}{mark['rest']}":  # else it is a call
            self.take_message(mark)

    def take_bare_header(self, mark: re.Match[str]) -> None:
        """A message whose header lacks some of its tokens."""
        is_next = mark[0].startswith(MESSAGE_ENDS) or mark[0].endswith("final")
        is_there = is_edge(self.text, mark.start(), self.begun) or (
            is_next and self.is_glued(mark.start())
        )
        if not is_there or is_quoted(self.text, mark) or self.is_word(mark):
            return
        if "final" in mark[0]:
            self.take_final(mark)
        elif "analysis" in mark[0] or "commentary" in mark[0]:
            self.take_message(mark)
        else:
            self.keep(mark.start(), self.spoken, mark.end())

    def is_word(self, mark: re.Match[str]) -> bool:
        """True if a sentence goes on behind a header, of which it speaks."""
        after = self.text[mark.end() : mark.end() + 2]
        if mark[0].endswith("<|message|>"):
            return after.startswith(" ")
        return mark.start() > 0 and after.strip()[:1].islower()

    def take_message(self, mark: re.Match[str]) -> None:
        """A message that is no answer: reasoning, unless nothing else is said."""
        self.keep(mark.start(), self.spoken, mark.end())
        self.is_final = False
        self.commentary = len(self.reasoning) if "commentary" in mark[0] else -1
        end = MESSAGE_END.search(self.text, mark.end())
        self.keep(
            end.start() if end else len(self.text), self.reasoning, end.end() if end else None
        )

    def take_final(self, mark: re.Match[str]) -> None:
        """An answer; right behind another one, it goes on."""
        if self.is_final and self.is_speaking | bool(self.text[self.begun : mark.start()].strip()):
            self.keep(mark.start(), self.spoken, mark.end())
            self.spoken.append("\n\n")
        else:
            self.end_lone(mark)
        self.is_final = True

    def take_turns(self, mark: re.Match[str]) -> None:
        """The end of a turn, or the beginning of another: of the model's own, it goes on."""
        start = TURN_START.search(mark[0])
        is_between = start is not None and start.start() > 0
        is_there = is_between or self.ends_words(mark)
        if start and not is_there:
            is_there = is_edge(self.text, mark.start(), self.begun)
        if not is_there or is_quoted(self.text, mark) or self.is_in_string(mark.start()):
            return
        if start and not OTHERS.search(mark[0], start.start()):
            self.keep(mark.start(), self.spoken, mark.end())
            self.spoken.append("\n")
        else:
            self.end_turn(mark)

    def end_turn(self, mark: re.Match[str]) -> None:
        """Leave the rest out, which the model imagined, unless nothing was said yet."""
        self.keep(mark.start(), self.spoken, mark.end())
        if self.is_speaking:
            self.keep(len(self.text), self.reasoning)

    def ends_words(self, mark: re.Match[str]) -> bool:
        """True if a token stands where it ends what was said, with more behind it.

        That is right behind a word, on a line of its own, or between two sentences.
        """
        token = mark[0].rstrip()
        if token.lower().startswith(("<s>", "</s>")) and 0 <= self.struck < mark.end():
            return False  # HTML: a text that is struck through
        blanks, after = mark[0][len(token) :], self.text[mark.end() : mark.end() + 1]
        if self.is_glued(mark.start()):
            is_behind_call = self.text[mark.start() - 1] in CALL_ENDS and bool(blanks)
            if is_behind_call and after.islower() and not OTHERS.match(self.text, mark.end()):
                return False  # a sentence speaks of the call
            return bool(blanks) or after not in PUNCTUATION
        line = self.text[max(0, mark.start() - MOST_BLANKS) : mark.start()].rstrip(" \t")
        is_sentence = "\n" in blanks or after.isupper() or not after.isascii()
        if line.endswith("\n") or not line:
            return not blanks or is_sentence
        return line.endswith(SENTENCE_ENDS) and is_sentence

    def is_glued(self, position: int) -> bool:
        """True right behind a word, or what ends a sentence."""
        before = self.text[max(self.begun, position - 1) : position]
        if not before or before.isspace() or before in OPENING_SIGNS:
            return False
        return not opens_quote(self.text, position)

    def is_in_string(self, position: int) -> bool:
        """True if a quote of code is open on the line; asked from the beginning on."""
        line = self.text.rfind("\n", self.counted, position)
        if line >= 0:
            self.quotes, self.counted = 0, line
        for quote, sign in (('"', 1), ('\\"', -1)):
            self.quotes += sign * self.text.count(quote, self.counted, position)
        self.counted = max(self.counted, position)
        return self.quotes % 2 == 1

    def pass_element(self, mark: re.Match[str]) -> None:
        """Pass over a call in the text, or one of its arguments: its tokens are code."""
        tag = mark["tag"].lower()
        end = -1 if tag in self.unclosed else self.text.find(f"</{tag}>", mark.end())
        if end < 0:
            self.unclosed.add(tag)
        else:
            self.position = end

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
        cut = CLOSED_BY_END.search(self.text, start, close.end() if close else len(self.text))
        last = cut or close
        if last is None:
            self.has_fences = False
            return
        end = last.end()
        lone = LONE_CLOSING.search(self.text, start, end)
        while lone is not None and not is_lone_closing(self.text, lone):
            lone = LONE_CLOSING.search(self.text, lone.end(), end)
        later = next_opening(self.text, lone.end()) if lone else None
        if lone and later and later.start() < end and later["info"].strip():
            end = lone.start()  # the fence was reasoning, and never closed
        self.position = end


def without_echo(text: str) -> str:
    """`text` without the prompt that a server repeats before it, as Mistral and Llama 2 mark it."""
    start, end = ECHO.match(text), -1
    while start and (end_of_turn := text.find(ECHO_END, start.end())) >= 0:
        end = end_of_turn + len(ECHO_END)
        start = NEXT_ECHO.search(text, end)
    rest = text[end:] if end > 0 else ""
    return rest if rest.strip() else text


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


def without_byte_tokens(text: str) -> str:
    """`text` with the bytes that tokens such as <0x0A> stand for, where nothing quotes them."""
    if not BYTES.search(text):
        return text
    blocks = [(block.start, block.end) for block in find_blocks(text) if block.end]

    def decode(run: re.Match[str]) -> str:
        start, end = run.span()
        characters = bytes.fromhex(run[0].replace("<0x", "").replace(">", ""))
        if not characters.isascii():
            is_text = text[start - 1 : start] == "`" == text[end : end + 1]
        elif any(first <= start < last for first, last in blocks):
            is_text = True
        else:
            is_word = text[max(0, start - 1) : start] == " " == text[end : end + 1]
            is_text = is_word or is_quoted(text, run) or in_backticks(text, start, end)
        return run[0] if is_text else characters.decode("utf-8", "replace")

    return BYTES.sub(decode, text)


def is_edge(text: str, position: int, begun: int) -> bool:
    """True if a line or a piece begins at `position`, blanks aside."""
    head = text[max(begun, position - MOST_BLANKS) : position].rstrip(" \t")
    return head.endswith("\n") or (not head and position - begun <= MOST_BLANKS)


def is_quoted(text: str, mark: re.Match[str]) -> bool:
    """True for a token that is a word of a sentence: in backticks or quotes."""
    before, after = text[max(0, mark.start() - 3) : mark.start()], text[mark.end() : mark.end() + 3]
    is_fence = before == "```" or after == "```"
    is_beside = not is_fence and (
        opens_quote(text, mark.start()) or after.startswith(CLOSING_QUOTES)
    )
    return is_beside or in_backticks(text, mark.start(), mark.end())


def opens_quote(text: str, position: int) -> bool:
    """True if what stands before `position` is a quote or backtick that opens."""
    before, quote = text[max(0, position - 2) : position - 1], text[position - 1 : position]
    return position > 0 and quote in QUOTES and not (before.isalnum() or before in CLOSING_SIGNS)


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
