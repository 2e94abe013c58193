# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "passive": {
        "why": "tells the same by the passive",
        "cells": [],
        "answer": "开头写雍正驾崩后的大丧。青樱领众妃嫔跪哭时被高晞月抢在前头，当众受辱；晞月让青樱难堪，富察氏却冷眼旁观。姑母景仁宫皇后失势，太后得势，青樱只能在后宫争斗中隐忍。",
    },
    "in-english": {
        "why": "tells it in English",
        "cells": [],
        "answer": "The opening is set after the late emperor's death. Qingying, the later Ruyi, of the Ulanara family, is a consort of the new emperor Hongli. Her aunt has fallen from power. At the funeral Gao Xiyue tries to take precedence of her before the Fucha empress, and intrigue begins among the women of the harem.",
    },
    "bullets": {
        "why": "bullets by person and event",
        "cells": [],
        "answer": """- **背景**：先帝驾崩，弘历继位
- **女主**：青樱（如懿），出身乌拉那拉氏，姑母失势
- **对手**：高晞月在灵前与她争位次
- **皇后**：富察氏主持大局
- **主线**：后宫妃嫔之间的权力争斗由此展开""",
    },
}
NEAR_MISSES = {
    "roles-exchanged": {
        "why": "the heroine takes her rival's place in what was done to her",
        "cells": [],
        "answer": "小说写先帝驾崩、新帝登基之初的后宫。青樱出身乌拉那拉氏，灵前当众抢在高晞月之前举哀，晞月只得隐忍。富察氏主持丧仪，后宫争斗由此开始。",
    },
    "empress-deposed": {
        "why": "makes up that the empress to be is deposed",
        "cells": [],
        "answer": "先帝驾崩，弘历登基，青樱随众妃嫔守灵，姑母景仁宫娘娘早已失势。高晞月抢在她前面举哀，给她难堪。富察氏因嫉妒被废，后宫争斗由此开始。",
    },
    "all-denied": {
        "why": "denies each event",
        "cells": [],
        "answer": "先帝没有驾崩，弘历并未登基。青樱不是侧福晋，高晞月从未入宫，富察氏拒绝成为皇后，后宫没有争斗。",
    },
    "later-part": {
        "why": "tells a later part with other people",
        "cells": [],
        "answer": "魏嬿婉出身低微，凭借心机一步步成为令贵妃，凌云彻为救旧主而死，海兰抚养永琪长大，几位公主相继远嫁，最后令贵妃失宠身亡。",
    },
}
LEFT_OUT = {
    "drop-row": "the query asks for a summary of no stated length: without its longest sentence this one still tells enough",
}
