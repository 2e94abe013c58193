# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Proof rows: tea exports by continent over the years, from a table of countries."""

STYLES = {
    "legend-beside": {
        "why": "a logarithmic scale, a legend beside the plot, cropped",
        "cells": [
            """import pandas as pd
import matplotlib.pyplot as plt

AS='''Afghanistan Armenia Azerbaijan Bahrain Bangladesh Bhutan|Brunei Darussalam|Cambodia|China|Cyprus|Democratic People's Republic of Korea|Georgia|India|Indonesia|Iran (Islamic Republic of)|Iraq|Israel|Japan|Jordan|Kazakhstan|Kuwait|Kyrgyzstan|Lao People's Democratic Republic|Lebanon|Malaysia|Maldives|Mongolia|Myanmar|Nepal|Oman|Pakistan|Palestine|Philippines|Qatar|Republic of Korea|Saudi Arabia|Singapore|Sri Lanka|Syrian Arab Republic|Tajikistan|Thailand|Timor-Leste|Turkmenistan|Türkiye|United Arab Emirates|Uzbekistan|Viet Nam|Yemen'''
AS=set('|'.join([AS.split('|')[0].replace(' ','|')]+AS.split('|')[1:]).split('|'))
EU=set('Albania|Austria|Belarus|Belgium|Belgium-Luxembourg|Bosnia and Herzegovina|Bulgaria|Croatia|Czechia|Czechoslovakia|Denmark|Estonia|Faroe Islands|Finland|France|Germany|Greece|Hungary|Iceland|Ireland|Italy|Latvia|Lithuania|Luxembourg|Malta|Montenegro|Netherlands|North Macedonia|Norway|Poland|Portugal|Republic of Moldova|Romania|Russian Federation|Serbia|Serbia and Montenegro|Slovakia|Slovenia|Spain|Sweden|Switzerland|USSR|Ukraine|United Kingdom of Great Britain and Northern Ireland|Yugoslav SFR'.split('|'))
NA=set('Antigua and Barbuda|Bahamas|Barbados|Belize|Canada|Costa Rica|Cuba|Dominica|Dominican Republic|El Salvador|Grenada|Guatemala|Haiti|Honduras|Jamaica|Mexico|Nicaragua|Panama|Saint Kitts and Nevis|Saint Lucia|Saint Vincent and the Grenadines|Trinidad and Tobago|United States of America'.split('|'))
SA=set('Argentina|Bolivia (Plurinational State of)|Brazil|Chile|Colombia|Ecuador|Guyana|Paraguay|Peru|Suriname|Uruguay|Venezuela (Bolivarian Republic of)'.split('|'))
OC=set('Australia|Cook Islands|Fiji|French Polynesia|Kiribati|New Caledonia|New Zealand|Papua New Guinea|Samoa|Solomon Islands|Tonga|Tuvalu|Vanuatu'.split('|'))
t=pd.read_csv('data/Tea_export.csv').set_index('Country')
t=t[~t.index.str.startswith('China, ')]
def co(n): return 'Asia' if n in AS else 'Europe' if n in EU else 'North America' if n in NA else 'South America' if n in SA else 'Oceania' if n in OC else 'Africa'
g=t.groupby(co).sum().T; g.index=g.index.astype(int)
ax=g.plot(figsize=(12,6),logy=True,colormap='tab10'); ax.legend(title='Continent',bbox_to_anchor=(1.02,1),loc='upper left'); ax.set_ylabel('tonnes (log)'); plt.savefig('output/62.png',bbox_inches='tight')"""
        ],
        "answer": "亚洲出口量最高。",
    },
    "own-lines": {
        "why": "lines of its own in ten thousand tonnes, legend turned over",
        "edits": {
            'ax = totals.plot(figsize=(10, 6), title="各大洲茶叶出口量")': """fig, ax = plt.subplots(figsize=(10, 6))
names = {"Africa": "非洲", "America": "美洲", "Asia": "亚洲", "Europe": "欧洲", "Oceania": "大洋洲"}
for name in totals:
    ax.plot(totals.index, totals[name] / 1e4, label=names[name])
ax.set_title("各大洲茶叶出口量")
handles, labels = ax.get_legend_handles_labels()
ax.legend(handles[::-1], labels[::-1])""",
            '"出口量（吨）"': '"出口量（万吨）"',
        },
    },
    "panels": {
        "why": "a plot for each continent",
        "edits": {
            """ax = totals.plot(figsize=(10, 6), title="各大洲茶叶出口量")
ax.set_xlabel("年份")
ax.set_ylabel("出口量（吨）")
ax.figure""": """fig, many = plt.subplots(5, 1, figsize=(9, 15))
for ax, name in zip(many, totals):
    ax.plot(totals.index, totals[name])
    ax.set_title(name)
fig""",
        },
    },
}
NEAR_MISSES = {
    "names-exchanged": {
        "why": "Africa and Asia under each other's names",
        "edits": {
            "ax = totals.plot(": """totals = totals.rename(columns={"Africa": "Asia", "Asia": "Africa"})
ax = totals.plot(""",
        },
    },
    "years-late": {
        "why": "each value ten years late",
        "edits": {
            "ax = totals.plot(": """totals.index = totals.index + 10
ax = totals.plot(""",
        },
    },
}
