// Walking aligned rows by keys: the next difference, the next row.
import { keys } from "./site.js";

const LEAST = { results: ["result", "files", "alone"], files: ["files", "alone"], code: ["code", "result", "files", "alone"] };
const rows = () => [...document.querySelectorAll("[data-row]")];
const wanted = LEAST[document.querySelector("[data-least]")?.dataset.least] ?? LEAST.results;

function mark(row) {
  for (const other of rows()) other.classList.toggle("is-current", other === row);
}

function go(by, belongs, link) {
  const list = rows();
  const at = list.findIndex((row) => row.classList.contains("is-current"));
  const rest = by > 0 ? list.slice(at + 1) : list.slice(0, Math.max(0, at)).reverse();
  const next = rest.find(belongs);
  if (!next) {
    const beyond = document.querySelector(link);
    if (beyond) beyond.click();
    else say(by > 0 ? "That was the last one." : "That was the first one.");
    return;
  }
  history.replaceState(null, "", `#${next.id}`);
  mark(next);
  next.scrollIntoView({ block: "start" });
}

function say(words) {
  const said = document.querySelector("[data-said]");
  said.textContent = words;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { said.textContent = ""; }, 6000);
}

const differs = (row) => wanted.includes(row.dataset.difference);
keys.set("d", () => go(1, differs, "[data-after]"));
keys.set("D", () => go(-1, differs, "[data-before]"));
for (const key of ["ArrowRight", "j"]) keys.set(key, () => go(1, () => true, ".windows a[rel='next']"));
for (const key of ["ArrowLeft", "k"]) keys.set(key, () => go(-1, () => true, ".windows a[rel='prev']"));

// A link to a row of another window leads there.
function findRow() {
  const number = Number(/^#row-(\d+)$/.exec(location.hash)?.[1]);
  const row = document.getElementById(`row-${number}`);
  if (row) {
    const fold = row.closest("details:not([open])");
    if (fold) fold.open = true;
    return mark(row);
  }
  const count = Number(document.querySelector("[data-rows]")?.dataset.rows);
  const address = new URL(location.href);
  if (!(number <= count) || address.searchParams.get("from") === String(number)) return;
  address.searchParams.set("from", number);
  location.replace(address);
}

addEventListener("hashchange", findRow);
findRow();
