"""Tool calls that a server left in the text, a row for each form in which models write them."""

from __future__ import annotations

import html
import json
import textwrap

import pytest

from runner.contract import (
    CALL_IN_REASONING,
    CALL_IN_TEXT,
    CALL_UNREAD,
    CODE_UNCALLED,
    ActionFormat,
    StepStatus,
)
from runner.model.calls_in_text import FORMS, PLAIN, PLAIN_PYTHON, advise
from runner.model.prompts import said, told
from runner.model.reply import Action, ModelReply, ToolCall, read

CODE = 'import csv\nprint("a < b", {1: [2]})'
ARGUMENTS = json.dumps({"code": CODE})
CALL = json.dumps({"name": "execute_python", "arguments": {"code": CODE}})
PARAMETERS = json.dumps({"name": "execute_python", "parameters": {"code": CODE}})
ESCAPED = repr(CODE)
FUNCTION = json.dumps({"type": "function", "function": json.loads(CALL)})
SOLAR = (
    "<|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>execute_python"
    f"<|tool_call:args|>{ARGUMENTS}<|tool_call:end|>"
)
YAML = f"name: execute_python\narguments:\n  code: |\n{textwrap.indent(CODE, '    ')}"

CALLS = {
    "JSON": CALL,
    "JSON with parameters": PARAMETERS,
    "JSON on several lines": json.dumps(json.loads(CALL), indent=2),
    "JSON in a fence": f"```json\n{CALL}\n```",
    "JSON in a bare fence": f"```\n{CALL}\n```",
    "JSON in a fence of its own": f"```tool_call\n{CALL}\n```",
    "JSON after words": f"I look at the files first.\n\n{CALL}",
    "JSON in a fence after words": f"I look at the files first.\n\n```json\n{CALL}\n```",
    "JSON before words": f"{CALL}\n\nThis prints the table.",
    "JSON with raw line breaks": CALL.replace("\\n", "\n"),
    "JSON in JSON": json.dumps({"name": "execute_python", "arguments": ARGUMENTS}),
    "OpenAI's object": json.dumps(
        {"id": "a", "type": "function",
         "function": {"name": "execute_python", "arguments": ARGUMENTS}}
    ),
    "OpenAI's list": json.dumps({"tool_calls": [{"function": json.loads(CALL)}]}),
    "a type and a name": json.dumps({"type": "function", **json.loads(PARAMETERS)}),
    "a list": f"[{CALL}]",
    "tool and args": json.dumps({"tool": "execute_python", "args": {"code": CODE}}),
    "function as a name": json.dumps({"function": "execute_python", "arguments": {"code": CODE}}),
    "an action": json.dumps({"action": "execute_python", "action_input": {"code": CODE}}),
    "Python's quotes": str({"name": "execute_python", "arguments": {"code": CODE}}),
    "Python": f"execute_python(code={ESCAPED})",
    "Python in a list": f"[execute_python(code={ESCAPED})]",
    "Python without a name": f"execute_python({ESCAPED})",
    "Python in Gemma's fence": f"```tool_code\nexecute_python(code={ESCAPED})\n```",
    "Python that prints in Gemma's fence": (
        f"```tool_code\nprint(execute_python(code={ESCAPED}))\n```"
    ),
    **{
        f"Python in Gemma's fence, as {form}": f"```tool_code\n{form.format(ESCAPED)}\n```"
        for form in (
            "print(str(execute_python(code={})))", "result = execute_python(code={})",
            "result=execute_python({})\nprint(result)", "default_api.execute_python(code={})",
            "print(default_api.execute_python(code={}))",
            "result = default_api.execute_python(code={})\nprint(result)",
            "print(functions.execute_python(code={}))",
        )
    },
    **{
        f"Python in a list before{words!r}": f"[execute_python(code={ESCAPED})]{words}"
        for words in ("I look.", " I look.", "\nI look.", "\n\n**I** look.", "我来看看。")
    },
    "Python before words": f"execute_python(code={ESCAPED})\nI look.",
    **{
        f"Python in a {tag} fence, {form!r}": f"```{tag}\n{form.format(ESCAPED)}\n```"
        for tag in ("python", "py")
        for form in ("execute_python(code={})", "print(execute_python({}))", "[execute_python({})]",
                     "result = execute_python(code={})\nprint(result)")
    },
    "Python on lines in a fence": f'```python\nexecute_python(code="""{CODE}""")\n```',
    "Python in a fence after words": f"I look.\n\n```python\nexecute_python({ESCAPED})\n```",
    "Python in a fence before words": f"```python\nexecute_python({ESCAPED})\n```\nI look.",
    "JSON in Python's fence": f"```python\n{CALL}\n```",
    "raw line breaks in Python": f"[execute_python(code='{CODE}')]",
    "raw line breaks in Python without a list": f"execute_python('{CODE}')",
    "raw line breaks and quotes in Python": f'[execute_python(code="{CODE}")]',
    "raw line breaks in LFM2": (
        f"<|tool_call_start|>[execute_python(code='{CODE}')]<|tool_call_end|>"
    ),
    "plain code in Gemma's fence": f"```tool_code\n{CODE}\n```",
    "plain code in Gemma's fence after words": f"I look.\n```tool_code\n{CODE}\n```",
    "MiniCPM": (
        "<|thought_start|>\ndeep\n<|thought_end|>\n<|tool_call_start|>\n```python\n"
        f"execute_python(code={ESCAPED})\n```\n<|tool_call_end|>"
    ),
    "MiniCPM with lines": (
        f'<|tool_call_start|>\n```python\nexecute_python(code="""{CODE}""")\n```\n<|tool_call_end|>'
    ),
    "MiniCPM without its special tokens": f"\n```python\nexecute_python(code={ESCAPED})\n```\n",
    "Python in Hermes's fence": (
        f"<tool_call>\n```python\nexecute_python(code={ESCAPED})\n```\n</tool_call>"
    ),
    "ChatGLM3": f" execute_python\n ```python\ntool_call(code={ESCAPED})\n```",
    "ChatGLM3 with its role": (
        f"<|assistant|>execute_python\n```python\ntool_call(code={ESCAPED})\n```"
    ),
    "Functionary": f">>>execute_python\n{ARGUMENTS}",
    "Functionary after words": f"all\nI look.>>>execute_python\n{ARGUMENTS}",
    "Functionary with plain code": f">>>execute_python\n{CODE}",
    "Glaive": f"<functioncall> {CALL} <|endoftext|>",
    "Glaive with its quotes": (
        "<functioncall> "
        f'{{"name": "execute_python", "arguments": \'{ARGUMENTS}\'}} <|endoftext|>'
    ),
    **{
        f"ReAct with {name}": f"Action: execute_python\nAction Input:{given}{result}"
        for name, given in {
            "JSON": f" {ARGUMENTS}", "plain code": f" {CODE}", "code below": f"\n{CODE}",
            "a fence": f"\n```python\n{CODE}\n```",
        }.items()
        for result in ("", "\nObservation:", "\nObservation: 42\nFinal Answer: 42")
    },
    "Python that prints, without a fence": f"I look.\nprint(default_api.execute_python({ESCAPED}))",
    "a name and a line": f"execute_python\n{ARGUMENTS}",
    **{
        f"ReAct as {lead!r}": f"I look.\n{lead}{ARGUMENTS}"
        for lead in (
            "**Action:** execute_python\n\n**Action Input:** ",
            "**Action**: `execute_python`\n**Action Input**:\n",
            "Action: `execute_python`\nAction Input: ", "action: execute_python\naction_input: ",
        )
    },
    "ReAct with code as its input": "I look.\n```\n{}\n```".replace(
        "{}", json.dumps({"action": "execute_python", "action_input": CODE})
    ),
    "code in the place of arguments": json.dumps({"name": "execute_python", "arguments": CODE}),
    "code beside the name": json.dumps({"name": "execute_python", "code": CODE}),
    "code beside TGI's name": json.dumps({"function": {"_name": "execute_python", "code": CODE}}),
    "params": json.dumps({"function_name": "execute_python", "params": {"code": CODE}}),
    "kwargs": json.dumps({"tool": "execute_python", "kwargs": {"code": CODE}}),
    "OpenAI's uses of tools": json.dumps(
        {"tool_uses": [
            {"recipient_name": "functions.execute_python", "parameters": {"code": CODE}}
        ]}
    ),
    "arguments and nothing else": ARGUMENTS,
    "arguments in a fence": f"```json\n{ARGUMENTS}\n```",
    "arguments in a fence after words": f"I look.\n\n```json\n{ARGUMENTS}\n```",
    "an element of its name": f"<execute_python>\n{CODE}\n</execute_python>",
    "elements of its name": (
        f"I look.\n<execute_python>\n<code>\n{CODE}\n</code>\n</execute_python>"
    ),
    "Hermes with a name": f'<tool_call name="execute_python">\n{ARGUMENTS}\n</tool_call>',
    "Hermes": f"<tool_call>\n{CALL}\n</tool_call>",
    "Hermes on one line": f"<tool_call>{CALL}</tool_call>",
    "Hermes without its end": f"<tool_call>\n{CALL}",
    "Hermes after words": f"I look.\n<tool_call>\n{CALL}\n</tool_call>",
    "Hermes after reasoning": f"<think>\ndeep\n</think>\n\n<tool_call>\n{CALL}\n</tool_call>",
    "Hermes and an end": f"<tool_call>\n{CALL}\n</tool_call><|im_end|>",
    "Hermes between words": f"I look.\n<tool_call>\n{CALL}\n</tool_call>\nThen I go on.",
    "Hermes in a fence": f"```xml\n<tool_call>\n{CALL}\n</tool_call>\n```",
    "Hermes in a fence after words": (
        f"I look.\n\n```xml\n<tool_call>\n{CALL}\n</tool_call>\n```"
    ),
    "tools": f"<tools>\n{CALL}\n</tools>",
    "function_call": f"<function_call> {CALL}",
    "Jamba": f"<tool_calls>[{CALL}]</tool_calls>",
    "Nemotron": f"<TOOLCALL>[{CALL}]</TOOLCALL>",
    "Granite": f"<|tool_call|>[{CALL}]",
    "LongCat": f"<longcat_tool_call>{CALL}</longcat_tool_call>",
    "Phi 4 mini": f"functools[{CALL}]",
    "Phi 4 mini, functions": f"functools[{FUNCTION}]",
    "Phi 4 mini in a sentence": f"I look functools[{FUNCTION}]",
    "Phi 4 mini with its mark": f"<|tool_call|>[{FUNCTION}]<|/tool_call|>",
    "Phi 4 mini with its mark in a sentence": f"I look <|tool_call|>[{FUNCTION}]<|/tool_call|>",
    "Phi 4 mini with its mark right behind a word": f"I look<|tool_call|>[{FUNCTION}]",
    "InternLM's interpreter": f"<|action_start|><|interpreter|>\n{CODE}<|action_end|>\n",
    "InternLM's interpreter with a fence": (
        f"I look.<|action_start|><|interpreter|>\n```python\n{CODE}\n```<|action_end|>"
    ),
    "InternLM's interpreter with a fence on its line": (
        f"<|action_start|> <|interpreter|>```python\n{CODE}\n```\n<|action_end|><|im_end|>"
    ),
    "InternLM with a blank": f"I look.<|action_start|> <|plugin|>\n{PARAMETERS}<|action_end|>",
    "Solar": f"<|tool_calls|>{SOLAR}<|calls|>",
    "Solar after words": f"I look.<|flush|><|tool_calls|>{SOLAR}<|calls|>",
    "Solar without what is around": f"I look.\n{SOLAR}",
    "Solar without a number": SOLAR.replace("a1b2c3d4e5", ""),
    "Solar after reasoning": (
        f"<|think|>deep<|end|><|begin|>assistant<|tool_calls|>{SOLAR}<|calls|>"
    ),
    "Solar after a message": (
        f"<|content|>I look.\n<|end|><|begin|>assistant<|tool_calls|>{SOLAR}<|calls|>"
    ),
    "Solar Open 2": (
        "<|tool_call:start|>execute_python\n<|tool_arg:start|>code<|tool_arg:value|>"
        f"{CODE}<|tool_arg:end|>\n<|tool_call:end|>"
    ),
    "InternLM": f"<|action_start|><|plugin|>{PARAMETERS}<|action_end|>",
    "LM Studio": f"[TOOL_REQUEST]{CALL}[END_TOOL_REQUEST]",
    "Cohere": "<|START_ACTION|>[{}]<|END_ACTION|>".replace(
        "{}",
        json.dumps(
            {"tool_call_id": "0", "tool_name": "execute_python", "parameters": {"code": CODE}}
        ),
    ),
    "Apertus": f'<|tools_prefix|>[{{"execute_python": {ARGUMENTS}}}]<|tools_suffix|>',
    "LFM2": f"<|tool_call_start|>[execute_python(code={ESCAPED})]<|tool_call_end|>",
    "Olmo": f"<function_calls>execute_python(code={ESCAPED})</function_calls>",
    "Llama": f"<|python_tag|>{PARAMETERS}<|eom_id|>",
    "Llama in Python": f"<|python_tag|>execute_python.call(code={ESCAPED})<|eom_id|>",
    "Llama 4": f"<|python_start|>{PARAMETERS}<|python_end|>",
    "Llama's function": f"<function=execute_python>{ARGUMENTS}</function>",
    "Llama, two": f"{PARAMETERS}; {PARAMETERS}",
    "Mistral": f"[TOOL_CALLS][{CALL}]",
    "Mistral with a blank": f"[TOOL_CALLS] [{CALL}]</s>",
    "Mistral with a name": f"[TOOL_CALLS]execute_python{ARGUMENTS}",
    "Mistral with arguments": f"[TOOL_CALLS]execute_python[ARGS]{ARGUMENTS}",
    "Mistral with a number": f"[TOOL_CALLS]execute_python[CALL_ID]a1b2c3d4e[ARGS]{ARGUMENTS}",
    "Mistral without its first token": f"execute_python[ARGS]{ARGUMENTS}",
    "Qwen3-Coder": (
        "<tool_call>\n<function=execute_python>\n<parameter=code>\n"
        f"{CODE}\n</parameter>\n</function>\n</tool_call>"
    ),
    "Qwen3-Coder without its beginning": (
        f"<function=execute_python>\n<parameter=code>\n{CODE}\n</parameter>\n</function>\n</tool_call>"
    ),
    "Qwen3-Coder without its end": (
        f"<tool_call>\n<function=execute_python>\n<parameter=code>\n{CODE}\n</function>"
    ),
    "Seed": (
        "<seed:tool_call>\n<function=execute_python>\n<parameter=code>"
        f"{CODE}</parameter>\n</function>\n</seed:tool_call>"
    ),
    "MiniMax": (
        '<minimax:tool_call>\n<invoke name="execute_python">\n<parameter name="code">'
        f"{CODE}</parameter>\n</invoke>\n</minimax:tool_call>"
    ),
    "function_calls": (
        '<function_calls>\n<invoke name="execute_python">\n<parameter name="code">'
        f"{CODE}</parameter>\n</invoke>\n</function_calls>"
    ),
    "Step": (
        '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="execute_python">'
        f'<steptml:parameter name="code">{CODE}</steptml:parameter></steptml:invoke>'
        "<｜tool_call_end｜>"
    ),
    "GLM": (
        "<tool_call>execute_python\n<arg_key>code</arg_key>\n"
        f"<arg_value>{CODE}</arg_value>\n</tool_call>"
    ),
    "GLM on one line": (
        f"<tool_call>execute_python<arg_key>code</arg_key><arg_value>{CODE}</arg_value></tool_call>"
    ),
    "DeepSeek V3": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>execute_python\n"
        f"```json\n{ARGUMENTS}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>"
    ),
    "DeepSeek with plain bars": (
        "<|tool▁calls▁begin|><|tool▁call▁begin|>execute_python<|tool▁sep|>"
        f"{ARGUMENTS}<|tool▁call▁end|><|tool▁calls▁end|>"
    ),
    "DeepSeek with plain bars and lines": (
        "<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>execute_python\n"
        f"```json\n{ARGUMENTS}\n```<|tool_call_end|><|tool_calls_end|>"
    ),
    "DeepSeek V3.1": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>execute_python<｜tool▁sep｜>"
        f"{ARGUMENTS}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "DeepSeek V3.2": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="execute_python">\n'
        f'<｜DSML｜parameter name="code" string="true">{CODE}</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜function_calls>"
    ),
    "DeepSeek V3.2 with plain bars": (
        '<|DSML|function_calls>\n<|DSML|invoke name="execute_python">\n'
        f'<|DSML|parameter name="code" string="true">{CODE}</|DSML|parameter>\n'
        "</|DSML|invoke>\n</|DSML|function_calls>"
    ),
    **{
        f"a name in an element of {outer}, {name}": (
            f"<{outer}>\n<{name}>execute_python</{name}>\n<{inner}>{given}</{inner}>\n</{outer}>"
        )
        for outer, name, inner in (
            ("tool_call", "name", "arguments"), ("tool_use", "name", "input"),
            ("use_mcp_tool", "tool_name", "arguments"), ("invoke", "tool_name", "parameters"),
        )
        for given in (ARGUMENTS, f"\n<code>{CODE}</code>\n")
    },
    "Claude's older elements": (
        "<function_calls>\n<invoke>\n<tool_name>execute_python</tool_name>\n<parameters>\n"
        f"<code>{CODE}</code>\n</parameters>\n</invoke>\n</function_calls>"
    ),
    "tool_use around JSON": f"<tool_use>{CALL}</tool_use>",
    "Gemini's parts": json.dumps(
        [{"functionCall": {"name": "execute_python", "args": {"code": CODE}}}]
    ),
    "Bedrock's part": json.dumps(
        [{"toolUse": {"name": "execute_python", "input": {"code": CODE}}}]
    ),
    "Kimi": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.execute_python:0"
        f"<|tool_call_argument_begin|>{ARGUMENTS}<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "Gemma 4": f'<|tool_call>call:execute_python{{code:<|"|>{CODE}<|"|>}}<tool_call|>',
    "FunctionGemma": (
        f"<start_function_call>call:execute_python{{code:<escape>{CODE}<escape>}}<end_function_call>"
    ),
    "gpt-oss": (
        "<|channel|>analysis<|message|>deep<|end|><|start|>assistant<|channel|>commentary "
        f"to=functions.execute_python <|constrain|>json<|message|>{ARGUMENTS}<|call|>"
    ),
    "gpt-oss, named first": (
        "<|start|>assistant to=functions.execute_python<|channel|>commentary json<|message|>"
        f"{ARGUMENTS}<|call|>"
    ),
    "gpt-oss, in the commentary": (
        f"<|channel|>commentary to=functions.execute_python <|constrain|>json<|message|>{ARGUMENTS}"
        "<|call|>"
    ),
    "gpt-oss with plain code": (
        f"<|channel|>analysis<|message|>deep<|end|><|start|>assistant<|channel|>commentary "
        f"to=functions.execute_python code<|message|>{CODE}<|call|>"
    ),
    "gpt-oss with plain code, begun in the prompt": (
        f"commentary to=functions.execute_python<|message|>{CODE}<|call|>"
    ),
    "gpt-oss with plain code, constrained": (
        f"<|channel|>commentary to=functions.execute_python <|constrain|>code<|message|>{CODE}"
    ),
    "gpt-oss, its name alone": f"to=functions.execute_python<|message|>{ARGUMENTS}<|call|>",
    "gpt-oss with plain code without its tokens": (
        f"analysisdeepassistantcommentary to=functions.execute_python code{CODE}"
    ),
    "Llama with plain code": f"<|python_tag|>{CODE}<|eom_id|>",
    "Llama with plain code on lines": f"<|python_tag|>\n{CODE}\n<|eot_id|>",
    "Llama with plain code after words": f"I look.\n<|python_tag|>{CODE}",
    "Llama 4 with plain code": f"<|python_start|>{CODE}<|python_end|>",
    "plain code": f"<tool_call>\n{CODE}\n</tool_call>",
    "plain code between words": f"I look.\n<tool_call>\n{CODE}\n</tool_call>\nThen I go on.",
    "plain code in a fence": f"<tool_call>\n```python\n{CODE}\n```\n</tool_call>",
    "plain code in a bare fence": f"<tool_call>\n```\n{CODE}\n```\n</tool_call>",
    "plain code behind the name": f"<tool_call>execute_python\n{CODE}\n</tool_call>",
    "plain code behind its language": f"<tool_call>\npython\n{CODE}\n</tool_call>",
    "plain code in Gemini's": f"<tool_code>\n{CODE}\n</tool_code>",
    "plain code without its end": f"<tool_call>\n{CODE}",
    "plain code in a function": f"<function=execute_python>\n{CODE}\n</function>",
    "plain code in an invocation": (
        f'<function_calls><invoke name="execute_python">{CODE}</invoke></function_calls>'
    ),
    "plain code in Kimi's": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.execute_python:0"
        f"<|tool_call_argument_begin|>{CODE}<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "plain code in DeepSeek's": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>execute_python\n"
        f"```python\n{CODE}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "plain code in Mistral's": f"[TOOL_CALLS]execute_python[ARGS]{CODE}",
    "plain code in LM Studio's": f"[TOOL_REQUEST]\n{CODE}\n[END_TOOL_REQUEST]",
    "arguments alone": f"<tool_call>\n{ARGUMENTS}\n</tool_call>",
    "a stray backtick before it": f"It is a ` sign. <tool_call>{CALL}</tool_call>",
    "two stray backticks before it": f"It is a `` sign. <tool_call>{CALL}</tool_call>",
    "a stray tag before it": f"The <code> and the <PRE> tag.\n<tool_call>{CALL}</tool_call>",
    "a table before it": f"a | b\n--|--\n1 | 2\n<tool_call>{CALL}</tool_call>",
    "code in backticks before it": f"I use `csv`. <tool_call>{CALL}</tool_call>",
    "Qwen 2": f"✿FUNCTION✿: execute_python\n✿ARGS✿: {ARGUMENTS}\n✿RESULT✿: 42\n✿RETURN✿: 42",
    "Qwen 2 after words": f"I look.\n✿FUNCTION✿: execute_python\n✿ARGS✿: {ARGUMENTS}\n✿RESULT✿",
    "Qwen 2 with plain code": (
        f"✿FUNCTION✿: execute_python\n✿ARGS✿:\n```python\n{CODE}\n```\n✿RESULT✿"
    ),
    **{
        f"brackets around {what}": f"I look.\n[execute_python]\n{given}\n[/execute_python]"
        for what, given in {"code": CODE, "JSON": ARGUMENTS, "a call": CALL}.items()
    },
    "brackets without an end": f"[tool_call]\n{CALL}",
    "CodeAct": f"I look.\n<execute>\n{CODE}\n</execute>",
    "CodeAct with its cell": f"<execute_ipython>\n{CODE}\n</execute_ipython>",
    "smolagents": f"<code>\n{CODE}\n</code>",
    "smolagents after words": f"Thought: I look.\n<code>\n{CODE}\n</code><end_code>",
    "smolagents in a fence": f"Thought: I look.\nCode:\n```py\n{CODE}\n```<end_code>",
    "a fence after a tool": f"Tool: execute_python\nArguments:\n```json\n{ARGUMENTS}\n```",
    **{
        f"JSON without {missing!r} in {form!r}": form.format(given.removesuffix(missing))
        for missing, given in (("}", CALL), ("}}", CALL), ("]", f"[{CALL}]"), ("}]", f"[{CALL}]"))
        for form in ("{}", "```json\n{}\n```", "<tool_call>\n{}\n</tool_call>", "<tool_call>{}")
    },
    "arguments without their end": f"[TOOL_CALLS]execute_python[ARGS]{ARGUMENTS[:-1]}",
    "JSON with a brace too many": f"<tool_call>\n{CALL}}}\n</tool_call>",
    "Granite after its thoughts": (
        f"Here is my thought process:\ndeep\nHere is my response:\n<|tool_call|>[{CALL}]"
    ),
    "gpt-oss without its tokens": (
        f"analysisdeepassistantcommentary to=functions.execute_python json{ARGUMENTS}"
    ),
    **{
        f"{damage} in {form!r}": form.format(given)
        for damage, given in {
            "a last comma": CALL.replace("}}", "},}"),
            "two last commas": CALL.replace("}}", ",\n },\n}"),
            "curly quotes": '{“name”: “execute_python”, “arguments”: ' + f"{ARGUMENTS}}}",
            "three quotes": (
                '{"name": "execute_python", "arguments": {"code": """' + f'{CODE}"""' + "}}"
            ),
        }.items()
        for form in ("{}", "I look.\n```json\n{}\n```", "<tool_call>\n{}\n</tool_call>")
    },
    "JSON in a fence in Hermes": f"<tool_call>\n```json\n{CALL}\n```\n</tool_call>",
    "Hermes as HTML": html.escape(f"<tool_call>\n{CALL}\n</tool_call>"),
    "Hermes as HTML before words": html.escape(f"<tool_call>{CALL}</tool_call>\nI look."),
    "JSON as HTML": html.escape(CALL),
    "a list as HTML": html.escape(f"[{CALL}]"),
    "code as HTML": CALL.replace(json.dumps(CODE), json.dumps(html.escape(CODE))),
    "parameters as HTML": (
        f'<invoke name="execute_python"><parameter name="code">{html.escape(CODE)}</parameter>'
        "</invoke>"
    ),
    "parameters as a text of XML": (
        f'<invoke name="execute_python"><parameter name="code"><![CDATA[{CODE}]]></parameter>'
        "</invoke>"
    ),
    **{
        f"YAML as {form!r}": form.format(YAML)
        for form in (
            "{}", "I look.\n\n```yaml\n{}\n```", "{}\n\nI look.", "<tool_call>\n{}\n</tool_call>",
        )
    },
    "YAML in other words": YAML.replace("name", "- tool").replace("arguments", "args"),
    "YAML without an object of arguments": YAML.replace("arguments:\n", ""),
    **{
        f"a tool and its {given}": f"Tool: execute_python\n{given}: {ARGUMENTS}"
        for given in ("Input", "Args", "Tool Input")
    },
}  # fmt: skip

STRIPPED = {
    "Kimi": f"functions.execute_python:0{ARGUMENTS}",
    "Kimi without a space of names": f"execute_python:3{ARGUMENTS}",
    "Kimi, two": f"functions.execute_python:0{ARGUMENTS}functions.execute_python:1{ARGUMENTS}",
    "Kimi with plain code": f"functions.execute_python:0{CODE}",
    "Kimi on lines": f"functions.execute_python:0\n{json.dumps(json.loads(ARGUMENTS), indent=1)}",
    "DeepSeek V3": f"functionexecute_python\n```json\n{ARGUMENTS}\n```",
    "DeepSeek V3 with a bare fence": f"functionexecute_python\n```\n{ARGUMENTS}\n```",
    "DeepSeek V3 with plain code": f"functionexecute_python\n```python\n{CODE}\n```",
    "DeepSeek V3 without its type": f"execute_python\n```json\n{ARGUMENTS}\n```",
    "DeepSeek V3.1, Mistral, GLM 4": f"execute_python{ARGUMENTS}",
    "a name in a space of names": f"functions.execute_python{ARGUMENTS}",
    "Mistral with a number": f"execute_pythona1b2c3d4e{ARGUMENTS}",
    "Mistral's list, Granite, Jamba": f"[{CALL}]",
    "Hermes, InternLM, LM Studio": CALL,
    "Llama": PARAMETERS,
    "Llama in Python": f"execute_python.call(code={ESCAPED})",
    "LFM2": f"[execute_python(code={ESCAPED})]",
    "Python in Gemma 3's space of names": f"default_api.execute_python(code={ESCAPED})",
    "Python that is printed": f"print(str(execute_python(code={ESCAPED})))",
    "Python in a space of names": f"functions.execute_python(code={ESCAPED})",
    "Apertus": f'[{{"execute_python": {ARGUMENTS}}}]',
    "GLM": f"execute_python\n<arg_key>code</arg_key>\n<arg_value>{CODE}</arg_value>",
    "Gemma": f"call:execute_python{{code:{CODE}}}",
    "gpt-oss": f"commentary to=functions.execute_python json{ARGUMENTS}",
    "DeepSeek V3 with a blank": f"function execute_python\n```json\n{ARGUMENTS}\n```",
    "Gemma with JSON": f"call:execute_python{ARGUMENTS}",
    "Functionary": f">>>execute_python\n{ARGUMENTS}",
    "a colon": f"execute_python: {ARGUMENTS}",
    "ReAct": f"Action: execute_python\nAction Input: {ARGUMENTS}",
    "Python with an object": f"execute_python({ARGUMENTS})",
    "gpt-oss, its role": f"assistantcommentary to=functions.execute_python json{ARGUMENTS}",
    "gpt-oss, named first": f"assistant to=functions.execute_pythoncommentary json{ARGUMENTS}",
    "gpt-oss with plain code": f"commentary to=functions.execute_python code{CODE}",
    "gpt-oss with plain code alone": f"commentary to=functions.execute_python{CODE}",
    "gpt-oss, its name alone": f"to=functions.execute_python{ARGUMENTS}",
}


def tools(text: str, finish_reason: str = "stop") -> Action:
    return read(ModelReply(text, finish_reason=finish_reason), ActionFormat.TOOLS)


def test_call_in_the_text_is_run_and_noted(subtests: pytest.Subtests) -> None:
    for name, text in CALLS.items():
        with subtests.test(name):
            action = tools(text)
            assert (action.status, action.code) == (StepStatus.OK, CODE)
            assert action.notes[0].startswith(f"{CALL_IN_TEXT} (")
            assert not action.calls_tools
            assert action.thought in THOUGHTS


def test_call_without_its_special_tokens_is_run(subtests: pytest.Subtests) -> None:
    for before in ["", "I look.", "I look. ", "I look.\n\n"]:
        for name, text in STRIPPED.items():
            with subtests.test(name, before=before):
                action = tools(before + text)
                assert (action.status, action.code) == (StepStatus.OK, CODE)
                assert action.notes[0].startswith(f"{CALL_IN_TEXT} (")
                assert action.thought == before.strip()


@pytest.mark.parametrize(
    "code", [f"execute_python\n{CODE}", f"execute_python\ncode\n{CODE}"], ids=["name", "key"]
)
def test_plain_code_behind_the_name_alone_is_run(code: str) -> None:
    assert tools(code).code == CODE


def test_call_without_its_special_tokens_in_a_sentence_is_text(subtests: pytest.Subtests) -> None:
    for sentence in [
        "It is 5. The log shows {} as the call.",
        "I called {}. It is 5.",
        "I sent `{}`",
        '"{}"',
        "It is 5. I wrote «{}».",
        "The call was {}",
        "I called\n\n{}\n\nand it worked. It is 5.",
        "> {}\n\nis how it begins.",
        "So:\n```text\n{}\n```\nIt is 5.",
        "I see {} and {}. It is 5.",
    ]:
        for name, form in STRIPPED.items():
            with subtests.test(name, sentence=sentence):
                text = sentence.replace("{}", form)
                action = tools(text)
                assert (action.status, action.answer) == (StepStatus.ANSWER, text)


ESCAPES = {  # that JSON does not know, as they are written and as they are meant
    "a pattern's": (r"import re\nre.sub('\d\\.\w', 'a')", "import re\nre.sub('\\d\\.\\w', 'a')"),
    "a quote's in a text": (r"print('it\'s', '\u0061')", r"print('it\'s', 'a')"),
    "all quotes": (r"print(\'a\')\nx = 1", "print('a')\nx = 1"),
    "a line's": ("x = 1 + \\\n 2", "x = 1 + \\\n 2"),
}  # fmt: skip


@pytest.mark.parametrize(("written", "code"), ESCAPES.values(), ids=ESCAPES)
def test_escape_that_json_does_not_know_is_a_backslash(written: str, code: str) -> None:
    arguments = f'{{"code": "{written}"}}'
    call = f'{{"name": "execute_python", "arguments": {arguments}}}'
    for text in (call, f"<tool_call>{call}</tool_call>", f"[TOOL_CALLS]execute_python{arguments}"):
        assert tools(text).code == code
    called = ModelReply(tool_calls=(ToolCall("c1", "execute_python", arguments),))
    assert read(called, ActionFormat.TOOLS).code == code


THOUGHTS = {
    "Thought: I look.", "Tool: execute_python\nArguments:",
    "", "deep", "I look", "I look.", "I look at the files first.", "This prints the table.",
    "**I** look.", "我来看看。", "I look.\n\nThen I go on.", "It is a ` sign.", "It is a `` sign.",
    "I use `csv`.",
    "The <code> and the <PRE> tag.", "a | b\n--|--\n1 | 2",
}  # fmt: skip
PYTHON = {
    "one line": "print(1)",
    "a command": "!ls -la",
    "a magic": "%matplotlib inline\nimport pandas as pd",
    "a loop": "for a in range(3):\n    print(a)",
    "a closing tag in a string": 'print("</tool_call>")\nx = "</function>"',
    "a closing tag in a comment": "x = 1  # </tool_call>\nprint(x)",
    "a token in a string": 'print("<|eom_id|>")',
    "HTML": 'html = """<b>\n</b>\n"""',
    "a backtick": 'print("`")',
}  # fmt: skip


def test_plain_code_in_a_call_is_run_whole(subtests: pytest.Subtests) -> None:
    for name, code in PYTHON.items():
        for form in [
            "<tool_call>\n{}\n</tool_call>",
            "I look.\n<tool_call>{}</tool_call>\nDone.",
            "<|python_tag|>{}<|eom_id|>",
            "<|python_tag|>{}",
            "commentary to=functions.execute_python<|message|>{}<|call|>",
        ]:
            with subtests.test(name, form=form):
                assert tools(form.format(code)).code == code


def test_result_that_the_model_imagined_behind_its_call_is_no_answer() -> None:
    for begun in ("<|channel|>", ""):
        action = tools(
            f"{begun}commentary to=functions.execute_python<|message|>print(1)<|call|>"
            "<|start|>functions.execute_python to=assistant<|channel|>commentary<|message|>1<|end|>"
            "<|start|>assistant<|channel|>final<|message|>It is 1.<|return|>"
        )
        assert (action.code, action.answer) == ("print(1)", None)


CLOSINGS = {
    "a parameter's": 'print("</parameter>")',
    "a parameter's in a comment": "x = 1  # </parameter>\nprint(x)",
    "a parameter's and a function's": 'a = "</parameter>\\n</function>"\nprint(a)',
    "a parameter's on lines": 'a = """\n</parameter>\n</function>\n</tool_call>\n"""\nprint(a)',
    "all of a call": 'a = "<parameter=code></parameter></function></tool_call>"',
    "a value's": 'print("</arg_value>")\n# </arg_value>\nx = 1',
}  # fmt: skip
ELEMENTS = (
    "<tool_call>\n<function=execute_python>\n<parameter=code>\n{}\n</parameter>\n</function>"
    "\n</tool_call>",
    "<function=execute_python><parameter=code>{}</parameter></function>",
    "<function=execute_python><parameter=code>{}</parameter>",
    '<minimax:tool_call><invoke name="execute_python"><parameter name="code">{}</parameter>'
    "</invoke></minimax:tool_call>",
    "<tool_call>execute_python<arg_key>code</arg_key><arg_value>{}</arg_value></tool_call>",
)


PYTHON_FORMS = {
    "a list": "[execute_python(code={})]",
    "LFM2": "<|tool_call_start|>[execute_python(code={})]<|tool_call_end|>",
    "Olmo": "<function_calls>execute_python(code={})</function_calls>",
    "Llama": "<|python_tag|>execute_python.call(code={})<|eom_id|>",
    "Gemma's fence": "```tool_code\nexecute_python(code={})\n```",
}


def test_marks_within_the_code_of_a_call_in_python_do_not_end_it(subtests: pytest.Subtests) -> None:
    for name, form in PYTHON_FORMS.items():
        for code in [
            "open('x.html', 'w').write('<html><body><table></table></body></html>')",
            'page = """<div>\n```\n</div>"""\nprint(page)',
            "print('</s>', \"<pad>\", 'a ) ] b')",
        ]:
            with subtests.test(name, code=code):
                assert tools(form.format(repr(code))).code == code


def test_closing_mark_in_the_code_does_not_end_it(subtests: pytest.Subtests) -> None:
    for name, code in CLOSINGS.items():
        for form in ELEMENTS:
            with subtests.test(name, form=form):
                for around in ("{}", "I look.\n{}\nThen I go on."):
                    assert tools(around.format(form.format(code))).code == code


def test_each_of_two_calls_has_its_own_code(subtests: pytest.Subtests) -> None:
    for form in ELEMENTS:
        with subtests.test(form=form):
            action = tools(f"{form.format('print(1)')}\n{form.format('print(2)')}")
            assert (action.code, action.notes[1:]) == (
                "print(1)",
                ("1 more tool call was not run",),
            )


@pytest.mark.parametrize("call", ["execute_python(code={})", "print(execute_python(code={}))"])
def test_calls_in_python_on_two_lines_are_both_seen(call: str) -> None:
    action = tools(f"{call.format(repr('a = 1'))}\n{call.format(repr('print(a)'))}")
    assert (action.code, action.notes[1:]) == ("a = 1", ("1 more tool call was not run",))


def test_argument_after_the_code_is_none_of_it() -> None:
    text = (
        "<function=execute_python><parameter=code>print('</parameter>')</parameter>\n"
        "<parameter=timeout>5</parameter></function>"
    )
    assert tools(text).code == "print('</parameter>')"


def test_conversation_keeps_a_call_in_the_text_as_text() -> None:
    reply = ModelReply(CALLS["Hermes after words"])
    action = read(reply, ActionFormat.TOOLS)
    assert said(reply, action) == {"role": "assistant", "content": reply.text}
    assert told(reply, action, "1") == [{"role": "user", "content": "1"}]
    assert action.thought == "I look."


def test_first_call_in_the_text_is_run_and_the_others_are_counted() -> None:
    for text in (f"{CALL}\n{CALL}", f"[{CALL}, {CALL}]", f"<tool_call>{CALL}</tool_call>" * 2):
        assert tools(text).notes[1:] == ("1 more tool call was not run",)


TALK = {
    "CodeAct's mark in a sentence": "CodeAct writes <execute> and </execute> around code. It is 5.",
    "CodeAct's mark first": "<execute> is CodeAct's. It is 5.",
    "CodeAct before words": "OpenHands runs what is in\n<execute>\nprint(1)\n</execute>\nIt is 5.",
    "CodeAct in backticks": "It sends `<execute>print(1)</execute>` then. It is 5.",
    "code in a sentence's element": "I used <code>print(1)</code> for it. It is 5.",
    "code in an element": "I used this script:\n<code>\nprint(1)\n</code>",
    "code in an element before words": "Thought: done\n<code>\nprint(1)\n</code>\nIt is 5.",
    "JSON in an element": '<code>\n{"a": 1}\n</code>',
    "a link": "See [execute_python](notes.md) and [tool_call](a.md). It is 5.",
    "a link on its line": "[execute_python](print(1))\nIt is 5.",
    "Qwen 2's mark": "Qwen 2 writes ✿FUNCTION✿: and ✿ARGS✿: before them. It is 5.",
    "a half of JSON": 'It is {"total": 5',
    **{
        f"what {lead!r} says was called": f"The total is 42.\n\n{lead}\n{call}"
        for lead in (
            "For reference, the call I used was:",
            "Here is the code I ran:",
            "**Call used:**",
            "The call was:",
            "I used this call:",
            "供参考，调用如下：",
            "Example:",
            "An example of a call:",
            "You can check this yourself:",
        )
        for call in (
            f"```json\n{CALL}\n```",
            f"```xml\n<tool_call>\n{CALL}\n</tool_call>\n```",
            f"```python\nexecute_python(code={ESCAPED})\n```",
            f"```tool_code\n{CODE}\n```",
            CALL,
        )
    },
    "Python in a fence between sentences": (
        f"I called\n```python\nexecute_python(code={ESCAPED})\n```\nand it printed 42."
    ),
    "Python that a sentence begins with": f"execute_python(code={ESCAPED}) is what I called.",
    "a list that a sentence begins with": f"[execute_python(code={ESCAPED})] is what I called.",
    "a guide": f"# Guide\n\nExample of a call:\n\n```json\n{CALL}\n```",
    "JSON of a row": json.dumps({"name": "Ann", "arguments": 3, "code": "print(1)"}),
    "JSON with a code": json.dumps({"code": "DE"}),
    "JSON with a code and a name": json.dumps({"code": "print(1)", "name": "Ann"}),
    "a list of codes": json.dumps([{"code": "print(1)"}, {"code": "print(2)"}]),
    "arguments between sentences": f"I gave it\n```json\n{ARGUMENTS}\n```\nand it printed 42.",
    "its element in a sentence": "The element <execute_python> stands in it, 17 times.",
    "ReAct's words": "Action: none\nAction Input: none\n\nThe total is 42.",
    "its name called with nothing": "execute_python(code) is the tool that I ran. It is 5.",
    "a call between sentences": f"I called it so:\n\n```json\n{CALL}\n```\n\nThe total is 42.",
    "a call in a sentence": f"The call was {CALL}",
    "a mark in backticks": f"Calls stand between `<tool_call>` and `</tool_call>`: `{CALL}`.",
    "a form in a fence": f"Calls look so:\n```text\n<tool_call>\n{CALL}\n</tool_call>\n```\nDone.",
    "JSON that is no call": json.dumps({"total": 42, "names": ["a"]}),
    "JSON of another tool": json.dumps({"name": "search", "arguments": {"query": "a"}}),
    "JSON with a name": json.dumps({"name": "execute_python", "price": 3}),
    "JSON in a fence": f"The result:\n```json\n{json.dumps([{'name': 'Ann', 'age': 3}])}\n```",
    "a list": "[1, 2, 3]",
    "code": "I used\n```python\nprint(1)\n```",
    "a function's mark in a sentence": "It is 5. Qwen writes <function=execute_python> before it.",
    "a function's mark first": "<function=execute_python> is how Qwen begins. It is 5.",
    "both marks of a function": "Between <function=execute_python> and </function> it is code.",
    "both marks first": "<function=execute_python> and </function> stand around it. It is 5.",
    "an invocation in a sentence": 'Claude writes <invoke name="execute_python"> for it. It is 5.',
    "a function's mark at the end": "It is 5. I called it with <function=execute_python>",
    "a function's mark in a list": "- <function=execute_python>\n- <tool_call>\n\nIt is 5.",
    "Kimi's marks in a sentence": (
        "It is 5. Kimi writes <|tool_call_begin|>functions.execute_python:0"
        "<|tool_call_argument_begin|> and then JSON."
    ),
    "gpt-oss's mark in a sentence": (
        "It is 5. gpt-oss writes commentary to=functions.execute_python<|message|> before it."
    ),
    "gpt-oss's words": "It wrote commentary to=functions.execute_python in the log, {so} what.",
    "DeepSeek's mark": "It is 5: <｜tool▁call▁begin｜>execute_python<｜tool▁sep｜> came first.",
    "Mistral's mark": "[TOOL_CALLS]execute_python[ARGS] is Mistral's. It is 5.",
    "Gemma's mark": "It is 5. <|tool_call>call:execute_python{ is Gemma's.",
    "Hermes first": "<tool_call> is what Hermes writes. It is 5.",
    "Hermes' marks": "<tool_call> and </tool_call> are what Hermes writes. It is 5.",
    "Llama's mark first": "<|python_tag|> is Llama's. It is 5.",
    "marks on lines": "The log has the line\n<tool_call>\n17 times. It is 5.",
    "a form with a name": (
        'It writes <tool_call>{"name": "execute_python", "arguments": ...}</tool_call> around it.'
    ),
    "a form on its line": (
        'It writes\n<tool_call>{"name": "execute_python", "arguments": {...}}</tool_call>\nIt is 5.'
    ),
    "code in a sentence": "He put <tool_call>print(1)</tool_call> around it. It is 5.",
    "pre with a class": f'<pre class="a b">\n<tool_call>{CALL}</tool_call>\n</pre>\nAnswer 5.',
    "pre in capitals": f"<PRE>\n<tool_call>{CALL}</tool_call>\n</PRE>\nAnswer 5.",
    "pre in both": f"<Pre Class='a'>\n<tool_call>{CALL}</tool_call>\n</pre>\nAnswer 5.",
    "code in HTML": f"<code id=a><tool_call>{CALL}</tool_call></code> is an example. Answer 5.",
    "code in pre": f"<pre><code>{CALLS['Kimi']}</code></pre> is an example. Answer 5.",
    "keys in HTML": f"<KBD>{CALLS['Mistral']}</KBD> is an example. Answer 5.",
    "a quotation in HTML": f"<blockquote>\n{CALLS['Qwen3-Coder']}\n</blockquote>\nAnswer 5.",
    "a table without a bar": f"server | call\n--- | ---\nKimi | {CALLS['Kimi']}\n\nAnswer 5.",
    "a table, first cell": f"call | server\n:-- | --:\n<tool_call>{CALL}</tool_call> | Hermes\n\n5",
    "a table's head": f"call | <tool_call>{CALL}</tool_call>\n--- | ---\n1 | 2\n\nAnswer 5.",
    "two backticks": f"It sends ``<tool_call>{CALL}</tool_call>`` then. Answer 5.",
    "backticks after a stray one": f"A ` sign, then `<tool_call>{CALL}</tool_call>` so. It is 5.",
    "plain code in backticks": "It sends `<|python_tag|>print(1)` then. It is 5.",
    "plain code in a fence": "So:\n```text\n<tool_call>\nx = 1\n</tool_call>\n```\nIt is 5.",
    "Kimi in backticks": f"The hour is 5. Inline: `{CALLS['Kimi']}` is Kimi's.",
    "Kimi in a table": f"| server | call |\n|---|---|\n| Kimi | {CALLS['Kimi']} |",
    "a blockquote": f"> [TOOL_CALLS] [{CALL}]\n\nis how Mistral quotes it. The hour is 5.",
    "a blockquote after words": f"It is 5. I sent\n> <tool_call>{CALL}</tool_call>\nand it worked.",
    "pre": f"<pre>\n<tool_call>{CALL}</tool_call>\n</pre>\nis an example. Answer 5.",
    "indented": f"An example:\n\n    <tool_call>{CALL}</tool_call>\n\nAnswer 5.",
    "a mark in a sentence": "The hour is 5. The text <tool_call> appears in the data, 17 times.",
    "two marks": 'There was the line "[TOOL_CALLS]" twice and <|python_tag|> once',
    "a form": 'It writes <tool_call>{"name": ..., "arguments": ...}</tool_call> around a call.',
    "gpt-oss's call in quotes": f'It is 5. I saw "{CALLS["gpt-oss, named first"]}" as the call.',
    "its name": "I ran execute_python three times.",
    "gpt-oss's call at the end": f"It is 5. It wrote {CALLS['gpt-oss, in the commentary'][:-8]}",
    "gpt-oss's messages": f"It is 5. It writes {CALLS['gpt-oss']} for a call.",
    "its name first": "execute_python\nis the tool that I ran.",
    "its name in a list": "Tools:\n- execute_python\n- none\n\nIt is 5.",
    "Kimi's name": "functions.execute_python:0 was first, functions.execute_python:1 was next.",
    "Kimi's name with an example": "Kimi writes functions.execute_python:0{...} for a call.",
    "a word with braces": "The set execute_python {a, b} has two members.",
    "YAML between sentences": f"I called\n```yaml\n{YAML}\n```\nand it printed 42.",
    "YAML of before": f"The total is 42. The call that I used was:\n```yaml\n{YAML}\n```",
    "YAML of another kind": "name: report\narguments:\n  code: |\n    print(1)",
    "YAML with a code": "name: execute_python\ncode: 5",
    "entities": "&lt;b&gt; is bold, &lt;tool_call&gt; begins a call. It is 5.",
    "entities in a sentence": f"It writes {html.escape(CALL)} for it.",
    "a pair of words": "Tool: execute_python\nInput: data/a.csv\n\nThe total is 42.",
}


def test_text_about_calls_is_the_answer(subtests: pytest.Subtests) -> None:
    for name, text in TALK.items():
        with subtests.test(name):
            action = tools(text)
            assert (action.status, action.answer) == (StepStatus.ANSWER, text)


QUOTED = ("Hermes on one line", "Kimi", "Llama's function", "Mistral with arguments",
          "DeepSeek V3", "DeepSeek V3.1", "function_calls", "Granite", "Mistral with a blank",
          "Llama", "Hermes and an end", "gpt-oss, named first", "gpt-oss, in the commentary",
          "gpt-oss with plain code, begun in the prompt", "InternLM", "InternLM's interpreter",
          "Phi 4 mini", "Phi 4 mini with its mark", "Solar", "Solar Open 2", "Gemma 4")  # fmt: skip
SENTENCES = {
    "as a word": "It is 5. The log shows {} as the call.",
    "as the first step": "In the first step I wrote {} and got it. It is 5.",
    "before a full stop": "I called it by {}. It is 5.",
    "in quotes": 'It is 5. The text "{}" stood in my first reply.',
    "in quotes at the end": 'It is 5. I wrote "{}"',
    "in curly quotes": "I wrote “{}”. It is 5.",
    "in guillemets": "It is 5. (Aufruf: «{}»)",
    "in guillemets with blanks": "C'est 5. Il écrit « {} » pour cela.",
    "in inverted guillemets": "Es ist 5. Der Aufruf »{}« kam vorher.",
    "in German quotes": "Es ist 5. Es schrieb „{}“ dafür.",
    "in single quotes": "It is 5. It wrote ‘{}’ for it.",
    "in corner brackets": "答案是 5。「{}」是调用。",
    "before a comma": "It writes {}, which is a call. It is 5.",
    "before it ends": "It is 5. A call of a tool is {} in this form.",
    "in parentheses": "It is 5 (I called\n({})\nfor it).",
    "in a list": 'It is 5.\n\n- first call: "{}"\n- second call: none',
    "on lines of its own in a sentence": "I called\n\n{}\n\nand it printed the count. It is 5.",
}


def test_call_within_a_sentence_is_text(subtests: pytest.Subtests) -> None:
    for form in QUOTED:
        for name, sentence in SENTENCES.items():
            with subtests.test(name, form=form):
                text = sentence.format(CALLS[form])
                action = tools(text)
                assert (action.status, action.answer) == (StepStatus.ANSWER, text)


OWN = (
    "{}", "I look. {}", "I look: {}", "I look.{}", "I look.\n{}\nThen I go on.", "{} Then I go on.",
    "I look at it\n{}", "I look:\n\n{}\n\nand then I go on.", "{} {}", "I look. {} {}", "- {}",
)  # fmt: skip


def test_call_between_sentences_is_run(subtests: pytest.Subtests) -> None:
    for form in QUOTED:
        for words in OWN:
            with subtests.test(form=form, words=words):
                action = tools(words.replace("{}", CALLS[form]))
                assert (action.status, action.code) == (StepStatus.OK, CODE)


def test_call_of_nothing_behind_an_answer_is_left_out(subtests: pytest.Subtests) -> None:
    for empty in [
        "[TOOL_CALLS][]",
        "[TOOL_CALLS]",
        " [TOOL_CALLS] []</s>",
        "\n<tool_call>\n</tool_call>",
        "\n<tool_calls>[]</tool_calls>",
        "<tool_call>{}</tool_call><|im_end|>",
        "<|tool_calls_section_begin|><|tool_calls_section_end|>",
    ]:
        with subtests.test(empty=empty):
            assert tools(f"It is 5.{empty}").answer == "It is 5."


UNREAD = {
    "a name alone in JSON": ('{"name": "execute_python"', "cannot be read"),
    "another tool of Qwen 2": (
        f"✿FUNCTION✿: code_interpreter\n✿ARGS✿: {ARGUMENTS}", "no tool called “code_interpreter”",
    ),
    "half an object": (f"<tool_call>\n{CALL[:40]}", "cannot be read"),
    "half a bare object": (CALL[:60], "cannot be read"),
    "half an object in a fence": (f"```json\n{CALL[:60]}", "cannot be read"),
    "another tool": (
        '<tool_call>{"name": "python", "arguments": {"code": "1"}}</tool_call>',
        "no tool called “python”",
    ),
    "another tool in JSON": (
        '{"name": "python", "parameters": {"code": "print(1)"}}', "no tool called “python”",
    ),
    "gpt-oss's own tool": (
        "<|channel|>analysis to=python code<|message|>print(1)<|call|>", "no tool called “python”",
    ),
    "Functionary's own tool": (f"all\nI look.>>>python\n{CODE}", "no tool called “python”"),
    "JavaScript's object": (
        "{name: 'execute_python', arguments: {code: 'print(1)'}}", "cannot be read",
    ),
    "half an object after words": (f"I look. <tool_call>{CALL[:60]}", "cannot be read"),
    "an object without a name": (
        '<tool_call>\n{"query": "a"}\n</tool_call>', "cannot be read",
    ),
    "code that is no Python": ("<tool_call>\nx = = 1\n</tool_call>", "cannot be read"),
    "code that is no Python after words": (
        "I look.\n<tool_call>\nprint(1\n</tool_call>", "cannot be read",
    ),
    "Llama's code that is no Python": ("<|python_tag|>print(1", "cannot be read"),
    "broken Python": ('[execute_python(code="x = = 1\nprint(x)")]', "cannot be read"),
    "broken Python in a fence": (
        '```python\nexecute_python(code="x = (\n1")\n```', "cannot be read",
    ),
    "broken Python after words": ('I look.\nexecute_python("x = (\n1")', "cannot be read"),
    "Python without its end": ('[execute_python(code="x = 1', "cannot be read"),
    "Gemma's fence without Python": ("```tool_code\nx = = 1\n```", "not valid JSON"),
    "ReAct without Python": (
        "Action: execute_python\nAction Input: x = = 1\nObservation: 42", "not valid JSON",
    ),
    "words": ("<tool_call>\nI look at the files.\n</tool_call>", "cannot be read"),
    "nothing": ("<tool_call>\n", "cannot be read"),
    "a name alone": ("<tool_call>\nresult\n</tool_call>", "cannot be read"),
    "a function without arguments": (
        "<function=execute_python>\n</function>", "not valid JSON",
    ),
    "half of Kimi's without tokens": (f"functions.execute_python:0{ARGUMENTS[:20]}", "not valid"),
    "half of DeepSeek's without tokens": (
        f"I look.functionexecute_python\n```json\n{ARGUMENTS[:20]}", "not valid",
    ),
    "half of Mistral's without tokens": (f"execute_python{ARGUMENTS[:20]}", "not valid"),
    "another tool of Kimi's": ('functions.ipython:0{"code": "1"}', "no tool called “ipython”"),
    "no code": ('<tool_call>{"name": "execute_python", "arguments": {}}</tool_call>', "missing"),
    "arguments that are no JSON": ("[TOOL_CALLS]execute_python[ARGS]{print}", "not valid JSON"),
}  # fmt: skip


def test_call_that_cannot_be_read_is_no_answer(subtests: pytest.Subtests) -> None:
    for name, (text, complaint) in UNREAD.items():
        with subtests.test(name):
            action = tools(text)
            assert (action.status, action.code, action.answer) == (StepStatus.MALFORMED, None, None)
            assert complaint in action.complaint
            assert action.notes[0].startswith(f"{CALL_UNREAD} (")


def test_cut_call_says_that_it_was_cut(subtests: pytest.Subtests) -> None:
    for text in [
        f"<tool_call>\n{CALL[:40]}",
        "<|python_tag|>x = 1",
        "<tool_call>\nx = 1",
        "<function=execute_python><parameter=code>x = 1",
        "<tool_call>execute_python<arg_key>code</arg_key><arg_value>x = 1",
        "commentary to=functions.execute_python<|message|>x = 1",
    ]:
        with subtests.test(text=text):
            action = tools(text, "length")
            assert (action.status, action.code) == (StepStatus.MALFORMED, None)
            assert "cut at the length limit" in action.complaint


def test_call_that_the_length_limit_cut_is_never_run_in_part(subtests: pytest.Subtests) -> None:
    for name, form in zip([*CALLS, *STRIPPED], [*CALLS.values(), *STRIPPED.values()], strict=True):
        with subtests.test(name):
            for end in range(len(form)):
                action = tools(form[:end], "length")
                assert action.code in (None, CODE), form[:end]
                assert action.answer is None


UNCALLED = {
    "in a fence": f"I look at it:\n```python\n{CODE}\n```",
    "in a fence, without": f"I will use `execute_python`:\n```json\n{ARGUMENTS}\n```\nThis prints.",
    "in an unknown form": f"{{{{ execute_python(code={ESCAPED}) }}}}",
    "in <code>": f"I look at it:\n<code>\n{CODE}\n</code>",
}  # fmt: skip


@pytest.mark.parametrize("place", UNCALLED)
def test_answer_whose_code_no_call_holds_says_so(place: str) -> None:
    action = tools(UNCALLED[place])
    assert (action.status, action.code) == (StepStatus.ANSWER, None)
    assert action.notes == (
        f"{CODE_UNCALLED}: {place.partition(',')[0]}, without a call of the tool",
    )
    assert read(ModelReply("It is 5."), ActionFormat.TOOLS).notes == ()


REASONED = ("Hermes on one line", "JSON", "Kimi", "Qwen3-Coder", "DeepSeek V3", "GLM", "MiniMax")


def test_call_that_ends_the_reasoning_is_run_and_noted(subtests: pytest.Subtests) -> None:
    for form in [CALLS[key] for key in REASONED] + list(STRIPPED.values())[:1]:
        for is_beside in [True, False]:
            with subtests.test(form=form, is_beside=is_beside):
                thought = f"I look at the files.\n{form}"
                reply = ModelReply("", thought) if is_beside else ModelReply(f"<think>{thought}")
                action = read(reply, ActionFormat.TOOLS)
                assert (action.status, action.code) == (StepStatus.OK, CODE)
                assert action.notes[0].startswith(f"{CALL_IN_REASONING} (")
                assert action.thought == "I look at the files."
                assert (
                    CODE in action.spoken or ARGUMENTS in action.spoken
                )  # the conversation keeps the call


CONSIDERED = {
    "with words behind it": f"I may send\n<tool_call>{CALL}</tool_call>\nNo, that is wrong.",
    "two": f"<tool_call>{CALL}</tool_call>\nNo.\n<tool_call>{CALL}</tool_call>",
    "half of one": f"I look.\n<tool_call>{CALL[:40]}",
}


@pytest.mark.parametrize("thought", CONSIDERED.values(), ids=CONSIDERED)
def test_call_within_the_reasoning_is_named_and_not_run(thought: str) -> None:
    action = read(ModelReply("", thought), ActionFormat.TOOLS)
    assert (action.status, action.code) == (StepStatus.MALFORMED, None)
    assert "is part of its reasoning" in action.complaint
    assert action.notes == (f"{CALL_IN_REASONING}, not run (Hermes)",)


def test_call_that_the_length_limit_cut_in_the_reasoning_is_not_run() -> None:
    reply = ModelReply("", f"I look.\n<tool_call>{CALL}", finish_reason="length")
    assert read(reply, ActionFormat.TOOLS).code is None


def test_reasoning_that_speaks_of_a_call_holds_none() -> None:
    action = read(
        ModelReply("", f"I could send `<tool_call>{CALL}</tool_call>`."), ActionFormat.TOOLS
    )
    assert action.complaint == "Your reply held reasoning alone, neither code nor an answer."
    assert action.notes == ()


@pytest.mark.parametrize("action_format", [ActionFormat.FENCED, ActionFormat.MARKERS])
def test_call_of_a_tool_that_was_not_offered_is_no_answer(action_format: ActionFormat) -> None:
    action = read(ModelReply(CALLS["Hermes"]), action_format)
    assert action.status == StepStatus.MALFORMED
    assert action.complaint.startswith("No tools are offered here. Put the code")


# Names that `--tool-call-parser` takes, of those that the advice has: as vLLM registers them in
# vllm/tool_parsers/__init__.py, and SGLang in srt/function_call/function_call_parser.py.
VLLM = """
apertus cohere_command3 deepseek_v3 deepseek_v31 deepseek_v32 functiongemma gemma4 glm45 granite
hermes internlm jamba kimi_k2 lfm2 llama3_json llama4_pythonic longcat minimax_m2 mistral olmo3
openai phi4_mini_json pythonic qwen3_coder seed_oss solar_open2 step3
"""
SGLANG = """
apertus2509 deepseekv3 deepseekv31 deepseekv32 gemma4 glm45 gpt-oss interns1 kimi_k2 lfm2 llama3
minimax-m2 mistral pythonic qwen25 qwen3_coder step3
"""


def test_advice_names_the_parsers_that_read_a_form_and_no_others() -> None:
    forms = (*FORMS, PLAIN, PLAIN_PYTHON)
    assert {form.vllm for form in forms} == {"", *VLLM.split()}
    assert {form.sglang for form in forms} == {"", *SGLANG.split()}
    for form in forms:
        advice = advise(form.name)
        assert (
            f"vLLM with --enable-auto-tool-choice --tool-call-parser {form.vllm}, " in advice
        ) == bool(form.vllm)
        assert (f"SGLang with --tool-call-parser {form.sglang}, " in advice) == bool(form.sglang)


ADVISED = {
    "Hermes": "hermes", "Phi 4 mini": "phi4_mini_json", "InternLM": "internlm", "LFM2": "lfm2",
    "Granite": "granite", "Jamba": "jamba", "Olmo": "olmo3", "Apertus": "apertus",
    "Llama": "llama3_json", "Llama 4": "llama4_pythonic", "Mistral": "mistral",
    "Qwen3-Coder": "qwen3_coder", "Seed": "seed_oss", "MiniMax": "minimax_m2", "Step": "step3",
    "GLM": "glm45", "DeepSeek V3": "deepseek_v3", "DeepSeek V3.1": "deepseek_v31",
    "DeepSeek V3.2": "deepseek_v32", "Kimi": "kimi_k2", "Gemma 4": "gemma4", "gpt-oss": "openai",
    "FunctionGemma": "functiongemma", "Solar Open 2": "solar_open2", "Python in a list": "pythonic",
    "JSON": "llama3_json", "Solar": "", "Nemotron": "", "LM Studio": "",
}  # fmt: skip


def test_advice_for_a_family_names_its_parser_of_vllm(subtests: pytest.Subtests) -> None:
    for name in ADVISED:
        with subtests.test(name=name):
            form = tools(CALLS[name]).notes[0].partition("(")[2].rstrip(")")
            parser = ADVISED[name]
            assert (f"--tool-call-parser {parser}, " in advise(form)) == bool(parser)
