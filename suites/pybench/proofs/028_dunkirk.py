"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "hours-and-minutes": {
        "why": "gives the length in hours and minutes, and in minutes",
        "cells": [],
        "answer": "Dunkirk 于 2017 年上映，由 Christopher Nolan 执导，片长 1 小时 46 分钟（106 min），分级 PG-13，主演 Tom Hardy。",
    },
    "as-bullets": {
        "why": "answers in a list",
        "answer": "- 上映年份：«year»\n- 导演：«director»\n- 片长：«runtime»\n- 评分：«rating»",
    },
    "in-english": {
        "why": "answers in English",
        "answer": "Dunkirk was released in «year», directed by «director», rated «rating», «runtime» long.",
    },
}
NEAR_MISSES = {
    "other-hours": {
        "why": "gives another length in hours and minutes",
        "cells": [],
        "answer": "Dunkirk 于 2017 年上映，由 Christopher Nolan 执导，片长 2 小时 46 分钟，分级 PG-13，主演 Tom Hardy。",
    },
    "other-director": {
        "why": "another director and star",
        "answer": "电影 Dunkirk 于 «year» 年上映。导演：Steven Spielberg；主演：Tom Hanks；片长：«runtime»；评分：«rating»；类型：«genre»",
    },
    "other-length": {
        "why": "gives another length",
        "answer": "电影 Dunkirk 于 «year» 年上映，导演 «director»，片长 160 min，评分 «rating»，类型 «genre»。",
    },
}
