# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Tea exports by continent over the years, from a table of countries."""

from runner.checks import Case
from runner.checks.charts import dates, figures, series, shown_names, unnoted

INDEX = "62"
TITLE = "各大洲茶叶出口量的变化"
CATEGORY = "chart"
LANGUAGE = "zh"
OUTPUTS = ["62.png"]
NOTE = "The table names countries only, and China both as a whole and by parts, so totals differ with the assignment: a continent's line may lie 12 % off and China may be counted once or twice. Asia, Africa, Europe and two further lines must be there; those of America and Oceania may lie half of their value off."

# The exporters that make a continent's total, as the table spells them.
AFRICA = [
    "Kenya",
    "Malawi",
    "Uganda",
    "United Republic of Tanzania",
    "Rwanda",
    "Zimbabwe",
    "Burundi",
    "South Africa",
    "Mozambique",
    "Ethiopia",
    "Mauritius",
    "Egypt",
    "Morocco",
    "Zambia",
    "Cameroon",
    "Nigeria",
    "Tunisia",
    "Ghana",
    "Senegal",
    "Madagascar",
]
EUROPE = [
    "United Kingdom of Great Britain and Northern Ireland",
    "Germany",
    "Belgium",
    "Belgium-Luxembourg",
    "Netherlands",
    "Poland",
    "France",
    "Russian Federation",
    "Italy",
    "Ireland",
    "Spain",
    "Austria",
    "Lithuania",
    "Latvia",
    "Estonia",
    "Sweden",
    "Denmark",
    "Czechia",
    "Hungary",
    "Switzerland",
    "Portugal",
    "Ukraine",
    "Belarus",
    "Slovakia",
    "Slovenia",
    "Finland",
    "Greece",
    "Romania",
    "Bulgaria",
    "Croatia",
    "Serbia",
    "Norway",
    "Luxembourg",
    "USSR",
]
ASIA = [
    "China, mainland",
    "China, Hong Kong SAR",
    "China, Macao SAR",
    "China, Taiwan Province of",
    "India",
    "Sri Lanka",
    "Viet Nam",
    "Indonesia",
    "United Arab Emirates",
    "Japan",
    "Iran (Islamic Republic of)",
    "Bangladesh",
    "Nepal",
    "Türkiye",
    "Singapore",
    "Malaysia",
    "Thailand",
    "Myanmar",
    "Jordan",
    "Georgia",
    "Azerbaijan",
    "Pakistan",
    "Republic of Korea",
    "Saudi Arabia",
    "Oman",
    "Syrian Arab Republic",
    "Papua New Guinea",
    "Kazakhstan",
    "Uzbekistan",
    "Lebanon",
    "Israel",
    "Armenia",
    "Kyrgyzstan",
    "Lao People's Democratic Republic",
    "Philippines",
    "Bahrain",
    "Kuwait",
    "Qatar",
    "Yemen",
    "Iraq",
    "Afghanistan",
    "Turkmenistan",
    "Tajikistan",
    "Mongolia",
    "Bhutan",
    "Cambodia",
    "Maldives",
    "Cyprus",
]
SOUTH = [
    "Argentina",
    "Brazil",
    "Chile",
    "Bolivia (Plurinational State of)",
    "Peru",
    "Colombia",
    "Ecuador",
    "Paraguay",
    "Uruguay",
    "Guyana",
    "Suriname",
    "Venezuela (Bolivarian Republic of)",
]
NORTH = [
    "United States of America",
    "Canada",
    "Mexico",
    "Guatemala",
    "Honduras",
    "Costa Rica",
    "El Salvador",
    "Nicaragua",
    "Panama",
    "Jamaica",
    "Trinidad and Tobago",
    "Dominican Republic",
    "Barbados",
]
OCEANIA = ["Australia", "New Zealand", "Fiji"]
ROUGHLY = {  # smaller ones, for whose members several lists are as good
    "America": [SOUTH + NORTH, SOUTH, NORTH],
    "Oceania": [OCEANIA, [*OCEANIA, "Papua New Guinea"]],
}
NAMES = {
    "Asia": ["asia", "亚洲"],
    "Africa": ["africa", "非洲"],
    "Europe": ["europe", "欧洲"],
    "America": ["america", "美洲"],
    "Oceania": ["oceania", "austral", "大洋洲", "pacific", "澳洲"],
}


def check(case: Case) -> None:
    import re

    import pandas as pd

    frame = pd.read_csv(case.data / "Tea_export.csv").set_index("Country")
    figure = figures.read(case, "62.png")
    if figure.note is None:
        unnoted.expect_marks(case, figure, 3, "lines of the continents")
        return
    named = {}
    for axes, line, said in shown_names.named_lines(figure):
        if line.n < 20:
            continue
        for name, words in NAMES.items():
            if any(word in said for word in words):
                named.setdefault(name, line)
                told = (
                    dates.beside(axes, line, list(frame.columns))
                    if line.n == len(frame.columns)
                    else ""
                )
                case.expect(
                    f"{name}'s years",
                    not told,
                    "each value at its year",
                    told or "so",
                    "62.png",
                    f"62.png {told}.",
                )
    expect_named(case, named)
    scales = [1.0, *(1 / f for f, unit in series.UNITS.items() if re.search(unit, figure.text))]
    expect_exports(case, frame, named, scales)


def expect_named(case: Case, named: dict) -> None:
    case.demand(
        "lines by continent",
        len(named) >= 5,
        ", ".join(NAMES),
        ", ".join(named) or "none",
        "62.png",
        f"62.png names the lines of {', '.join(named) or 'no continent'}; five are wanted.",
    )


def expect_exports(case: Case, frame: object, named: dict, scales: list) -> None:
    """The lines are the totals of their continents' members, in any of the `scales`."""
    import numpy as np

    twice = frame.loc["China"].fillna(0)
    for name, members in (("Asia", ASIA), ("Africa", AFRICA), ("Europe", EUROPE)):
        total = frame.loc[[m for m in members if m in frame.index]].sum()
        found = np.asarray(named[name].y, dtype=float)
        ways = [total, total + twice] if name == "Asia" else [total]
        off = min(
            spread(found * scale, np.asarray(way, dtype=float)) for way in ways for scale in scales
        )
        case.expect(
            f"{name}'s exports",
            off <= 0.12,
            "its members' total ± 12 %",
            f"{off:.0%} off",
            "62.png",
            f"62.png shows a line for {name} that is {off:.0%} off its members' total.",
        )
    for name in ROUGHLY.keys() & named.keys():
        totals = [frame.loc[[m for m in some if m in frame.index]].sum() for some in ROUGHLY[name]]
        found = np.asarray(named[name].y, dtype=float)
        off = min(
            spread(found * scale, np.asarray(total, dtype=float))
            for total in totals
            for scale in scales
        )
        case.expect(
            f"{name}'s exports",
            off <= 0.5,
            "its members' total, roughly",
            f"{off:.0%} off",
            "62.png",
            f"62.png shows a line for {name} that is {off:.0%} off its members' total.",
        )


def spread(found, wanted) -> float:
    """The median distance of a line from the one expected, as a share of it; a quarter of that of
    its strangest fifth, or of its strangest five years, where this is more."""
    import numpy as np

    if len(found) != len(wanted):
        return 9.99
    off = np.abs(found - wanted) / np.maximum(wanted, 1.0)
    years = [np.median(off[n : n + 5]) for n in range(len(off) - 4)]
    return float(max(np.median(off), np.percentile(off, 80) / 4, max(years, default=0) / 4))


REFERENCE = {
    "cells": [
        """
import pandas as pd

df = pd.read_csv("data/Tea_export.csv")
print(df.shape, df["Country"].tolist())
""",
        """
africa = '''Algeria;Angola;Benin;Botswana;Burkina Faso;Burundi;Cabo Verde;Cameroon;Central African Republic;Chad;Comoros;Congo;Côte d'Ivoire;Democratic Republic of the Congo;Djibouti;Egypt;Equatorial Guinea;Eritrea;Eswatini;Ethiopia;Ethiopia PDR;Gabon;Gambia;Ghana;Guinea;Guinea-Bissau;Kenya;Lesotho;Liberia;Libya;Madagascar;Malawi;Mali;Mauritania;Mauritius;Morocco;Mozambique;Namibia;Niger;Nigeria;Rwanda;Sao Tome and Principe;Senegal;Seychelles;Sierra Leone;Somalia;South Africa;South Sudan;Sudan;Sudan (former);Togo;Tunisia;Uganda;United Republic of Tanzania;Zambia;Zimbabwe'''.split(";")
americas = '''Antigua and Barbuda;Argentina;Bahamas;Barbados;Belize;Bolivia (Plurinational State of);Brazil;Canada;Chile;Colombia;Costa Rica;Cuba;Dominica;Dominican Republic;Ecuador;El Salvador;Grenada;Guatemala;Guyana;Haiti;Honduras;Jamaica;Mexico;Nicaragua;Panama;Paraguay;Peru;Saint Kitts and Nevis;Saint Lucia;Saint Vincent and the Grenadines;Suriname;Trinidad and Tobago;United States of America;Uruguay;Venezuela (Bolivarian Republic of)'''.split(";")
oceania = '''Australia;Cook Islands;Fiji;French Polynesia;Kiribati;New Caledonia;New Zealand;Papua New Guinea;Samoa;Solomon Islands;Tonga;Tuvalu;Vanuatu'''.split(";")
europe = '''Albania;Austria;Belarus;Belgium;Belgium-Luxembourg;Bosnia and Herzegovina;Bulgaria;Croatia;Czechia;Czechoslovakia;Denmark;Estonia;Faroe Islands;Finland;France;Germany;Greece;Hungary;Iceland;Ireland;Italy;Latvia;Lithuania;Luxembourg;Malta;Montenegro;Netherlands;North Macedonia;Norway;Poland;Portugal;Republic of Moldova;Romania;Russian Federation;Serbia;Serbia and Montenegro;Slovakia;Slovenia;Spain;Sweden;Switzerland;USSR;United Kingdom of Great Britain and Northern Ireland;Yugoslav SFR'''.split(";")
where = {name: "Africa" for name in africa} | {name: "America" for name in americas} | {name: "Oceania" for name in oceania} | {name: "Europe" for name in europe}
df = df[df["Country"] != "China"]  # its parts have rows of their own
df["Continent"] = df["Country"].map(where).fillna("Asia")
print(df[df["Continent"] == "Asia"]["Country"].tolist())
totals = df.drop(columns="Country").groupby("Continent").sum().T
totals.index = totals.index.astype(int)
print(totals.tail(3))
""",
        """
import matplotlib.pyplot as plt

ax = totals.plot(figsize=(10, 6), title="各大洲茶叶出口量")
ax.set_xlabel("年份")
ax.set_ylabel("出口量（吨）")
ax.figure.savefig("output/62.png")
""",
    ],
    "answer": "各大洲茶叶出口量的曲线已保存到 ./output/62.png。",
}
WRONG = {
    "big-exporters-only": {
        "why": "draws five countries in place of the continents",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Tea_export.csv').set_index('Country').T\n"
            "df[['China', 'Kenya', 'India', 'Sri Lanka', 'Viet Nam']].plot()\nplt.savefig('output/62.png')"
        ],
        "answer": "曲线已保存到 ./output/62.png。",
    },
    "one-country-each": {
        "why": "takes one country for its continent",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Tea_export.csv').set_index('Country').T\n"
            "df = df[['China', 'Kenya', 'Germany', 'Argentina', 'Australia']]\ndf.columns = ['Asia', 'Africa', 'Europe', 'America', 'Oceania']\ndf.plot()\nplt.savefig('output/62.png')"
        ],
        "answer": "曲线已保存到 ./output/62.png。",
    },
    "everything-else-is-asia": {
        "why": "knows a few African countries and puts the rest into other continents by the alphabet",
        "cells": [
            "import pandas as pd, matplotlib.pyplot as plt\ndf = pd.read_csv('data/Tea_export.csv')\nnames = ['Asia', 'Africa', 'Europe', 'America', 'Oceania']\n"
            "df['c'] = [names[i % 5] for i in range(len(df))]\ndf.drop(columns='Country').groupby('c').sum().T.plot()\nplt.savefig('output/62.png')"
        ],
        "answer": "曲线已保存到 ./output/62.png。",
    },
}
