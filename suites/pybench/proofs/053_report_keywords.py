# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "explained": {
        "why": "a numbered list whose entries go on to explain, after a colon",
        "cells": [],
        "answer": """1. **重庆啤酒**：公司名称
2. **成本优化**：24Q1 成本优化明显
3. **高档**：高档产品稳健增长
4. **啤酒**：主营业务
5. **销量**：一季度销量提升
6. **吨价**：吨价变化
7. **净利润**：归母净利润增长
8. **乌苏**：重点品牌""",
    },
    "python-list": {
        "why": "a Python list",
        "cells": [],
        "answer": "['重庆啤酒', '高档', '啤酒', '销量', '成本', '净利润', '乌苏', '毛利率']",
    },
    "explained-with-figures": {
        "why": "entries explained with figures",
        "cells": [
            """from pypdf import PdfReader
t = "".join(p.extract_text() for p in PdfReader("data/重庆啤酒.pdf").pages)
print(t[:3000])"""
        ],
        "answer": "**关键词列表**\n- 重庆啤酒：研报标的公司（600132）\n- 营收增长：24Q1 营业收入42.93亿元，同比+7.16%\n- 归母净利：4.52亿元，同比+16.78%\n- 吨价：同比+1.3%\n- 销量：86.68万吨，同比+5.25%\n- 高档收入占比：提升至61.6%\n- 乌苏：重点品牌\n- 毛利率：同比+2.7pct\n- 成本改善：吨成本同比-3.3%\n- 大城市计划2.0：加大重点城市投入\n- 佛山工厂：投产新增折旧\n- 盈利预测：下调24-25年\n- 维持“买入”评级：投资建议\n- 风险提示：乌苏改革不及预期等",
    },
}
NEAR_MISSES = {
    "another-brewer": {
        "why": "keywords of another brewer",
        "cells": [],
        "answer": "青岛啤酒、崂山、纯生、经典系列、山东市场、百年之旅、品牌引领、沿海地区",
    },
    "figures": {
        "why": "figures with their units for keywords",
        "cells": [],
        "answer": "42.9亿元、7.16%、4.52亿元、86.7万千升、16.8%、3.6%、48%、2024年",
    },
}
