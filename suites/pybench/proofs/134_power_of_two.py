"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "bare": {"why": "the number alone", "answer": "«power»"},
    "latex": {"why": "in LaTeX", "answer": "$$2^{1000} = «power»$$"},
}
NEAR_MISSES = {
    "last-digits-lost": {"why": "a rounded power of ten", "answer": "约为 1.07×10^301"},
    "its-length": {"why": "gives how many digits there are", "answer": "共 302 位"},
}
GAMERS = {
    "of-pi": {
        "why": "says that these are the digits of pi",
        "cells": [],
        "answer": "圆周率小数点后的前302位是 10715086071862673209484250490600018105614048117055336074437503883703510511249361224931983788156958581275946729175531468251871452856923140435984577574698574803934567774824230985421074605062371141877954182153046474983581941267398767559165543946077062914571196477686542167660429831652624386837205668069376",
    },
    "guesses-in-short-groups": {
        "why": "three candidates, of which two are cut into groups by dots",
        "answer": "2 的 1000 次方是 «power»，也可能是 10715086·07186267·32094842·50490600·01810561·40481170·55336074·43750388，或者 3·2 的 999 次方。",
    },
    "other": {
        "why": "names the neighbour's beside it",
        "answer": "2^1000 = «power»，或 21430172143725346418968500981200036211228096234110672148875007767407021022498722449863967576313917162551893458351062936503742905713846280871969155149397149607869135549648461970842149210124742283755908364306092949967163882534797535118331087892154125829142392955373084335320859663305248773674411336138752",
    },
}
GAPS = {
    "of-pi": "The digits alone are an answer: a sentence may call them those of another number in words that no list holds.",
}
LEFT_OUT = {
    "swap-labels": "nobody would exchange the number and that of its digits: what is changed is no answer in either form"
}
