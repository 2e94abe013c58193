"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "the-other-way-about": {
        "why": "says that women are likelier to go without",
        "answer": "Men: «Male_wins» of «Male_all» («Male_rate» %). Women: «Female_wins» of «Female_all» («Female_rate» %). Men are slightly more likely to win than women; women are more likely to go home without an Oscar.",
    },
    "walk-away-with": {
        "why": "says it of leaving with an award",
        "answer": "Men: «Male_wins» of «Male_all» («Male_rate» %). Women: «Female_wins» of «Female_all» («Female_rate» %). Men are more likely to walk away with an Oscar than women.",
    },
    "acting-only": {
        "why": "other figures stand beside the right one",
        "answer": "Looking only at the four acting categories after dropping nulls: male actors won 159 of 854 nominations (18.62 %), female actors 159 of 858 (18.53 %). The chances are practically the same, with male actors ahead by a hair, so: male.",
    },
    "chinese-free-short": {
        "why": "another form of the same",
        "answer": "**Male** – 20.46% vs. 19.78% for female nominees.",
    },
    "male-prose": {
        "why": "another form of the same",
        "answer": "Men. Once the incomplete rows are removed, male nominees hold 1633 winning entries against 410 for women (about 80 % of all Oscars), and their success rate is also a little higher, 20.5% vs 19.8%, so males are more likely to win.",
    },
    "as-a-table": {
        "why": "answers with a table",
        "answer": "| Gender | Wins | Rate |\n|---|---|---|\n| Male | «Male_wins» | «Male_rate»% |\n| Female | «Female_wins» | «Female_rate»% |\n\nMale nominees are more likely to win.",
    },
    "short": {
        "why": "rates alone",
        "answer": "Male: «Male_rate»%, female: «Female_rate»%. Men are more likely to win an Oscar.",
    },
}
NEAR_MISSES = {
    "exchanged": {
        "why": "gives each gender the other's rate",
        "answer": "Male: «Female_rate»%, female: «Male_rate»%. Men are more likely to win an Oscar.",
    },
    "opposite": {
        "why": "concludes the opposite",
        "answer": "Male: «Male_rate»%, female: «Female_rate»%. Women are more likely to win an Oscar.",
    },
}
LEFT_OUT = {
    "scale-by-10": "no numbers of wins are asked for: the rates that the answer rests on stay right",
    "swap-labels": "no numbers of wins are asked for: the rates that the answer rests on stay right",
}
