// Walking a replay by keys: steps, tasks, failures; copying code and links.
import { keys } from "./site.js";

const cards = () => [...document.querySelectorAll("[data-step]")];
const shown = () => cards().filter((card) => !card.hidden);
let onlyFailed = false;

function mark(card) {
  const scrub = document.querySelector("[data-scrub]");
  if (scrub && card) scrub.value = card.id.replace("step-", "");
  for (const other of cards()) other.classList.toggle("is-current", other === card);
  for (const a of document.querySelectorAll(".ribbon ol:not(.minimap) a")) {
    a.classList.toggle("is-current", Boolean(card) && a.hash === `#${card.id}`);
  }
}

function go(by) {
  const list = shown();
  const at = list.findIndex((card) => card.classList.contains("is-current"));
  const next = at < 0 ? 0 : at + by;
  if (next < 0 || next >= list.length) {
    // The window's end: its neighbour goes on, from its nearest step.
    const link = document.querySelector(`.windows a[rel='${by < 0 ? "prev" : "next"}']`);
    if (link && by < 0) link.hash = `#step-${link.dataset.last}`;
    if (link) return link.click();
  }
  const card = list[Math.max(0, Math.min(list.length - 1, next))];
  if (!card) return;
  history.replaceState(null, "", `#${card.id}`);
  mark(card);
  card.scrollIntoView({ block: "start" });
}

function visit(name) {
  const address = document.querySelector("[data-walk]")?.dataset[name];
  if (address) location.assign(address);
}

function hidePassing() {
  for (const card of cards()) card.hidden = onlyFailed && !("failed" in card.dataset);
  document.querySelector("[data-act='f']")?.setAttribute("aria-pressed", String(onlyFailed));
}

function toggleFailed() {
  onlyFailed = !onlyFailed;
  hidePassing();
}

// Steps one after the other: each as long as there is to read, within bounds.
const SHORTEST_MS = 1200;
const LONGEST_MS = 6000;
let playing = 0;

function play() {
  playing = playing ? stop() : setTimeout(advance, 0);
  showPlaying();
}

function stop() {
  clearTimeout(playing);
  return 0;
}

function advance() {
  const list = shown();
  const at = list.findIndex((card) => card.classList.contains("is-current"));
  const isLast = at === list.length - 1;
  if (isLast) {
    playing = stop();
    showPlaying();
    return say("That was the last step here.");
  }
  go(1);
  const length = document.querySelector("[data-step].is-current")?.textContent.length ?? 0;
  playing = setTimeout(advance, Math.min(LONGEST_MS, Math.max(SHORTEST_MS, length * 4)));
}

function showPlaying() {
  const button = document.querySelector("[data-act='s']");
  button?.setAttribute("aria-pressed", String(Boolean(playing)));
  if (button) button.textContent = playing ? "stop" : "play";
}

keys.set("s", play);
document.addEventListener("input", (event) => {
  if (!event.target.matches?.("[data-scrub]")) return;
  const card = document.getElementById(`step-${event.target.value}`);
  if (!card) return;
  history.replaceState(null, "", `#${card.id}`);
  mark(card);
  card.scrollIntoView({ block: "start" });
});

for (const key of ["ArrowRight", "j"]) keys.set(key, () => go(1));
for (const key of ["ArrowLeft", "k"]) keys.set(key, () => go(-1));
keys.set("n", () => visit("next"));
keys.set("p", () => visit("previous"));
keys.set("N", () => visit("nextFailed"));
keys.set("P", () => visit("previousFailed"));
keys.set("m", () => (document.querySelector("[data-next-model]") ? visit("nextModel") : say("No other model has tried this task.")));
keys.set("b", () => {
  const beside = document.querySelector("[data-beside]");
  if (beside) beside.click();
  else say("No other model has tried this task.");
});
keys.set("/", () => {
  const field = document.querySelector("#search-words");
  field.focus();
  field.select();
});
keys.set("f", toggleFailed);
keys.set("c", copyLink);
keys.set("e", () => {
  const jump = document.querySelector(".ribbon .jump");
  if (jump) jump.click();
  else say("No step failed.");
});

function say(words) {
  const said = document.querySelector("[data-said]");
  if (!said) return;
  said.textContent = words;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { said.textContent = ""; }, 6000);
}

// The link to the current step, else to the attempt as the address has it.
async function copyLink() {
  const card = cards().find((other) => other.classList.contains("is-current"));
  const link = new URL(card ? `#${card.id}` : location.hash, location.href).href;
  const what = card ? `Link to step ${card.id.replace("step-", "")}` : "Link to this attempt";
  try {
    await navigator.clipboard.writeText(link);
    say(`${what} copied.`);
  } catch {
    // Refused, or no clipboard at all on a page without encryption.
    say(`The browser did not allow copying. ${what}: ${link}`);
  }
}

async function copy(button) {
  const what = button.dataset.copy;
  const text = what.startsWith("#") ? new URL(what, location.href).href : button.parentElement.querySelector("pre").textContent;
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    button.textContent = "not allowed";
  }
  setTimeout(() => { button.textContent = label; }, 1200);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (button) copy(button);
});

// A link to a step of another window leads there.
function findWindow() {
  const index = Number(/^#step-(\d+)$/.exec(location.hash)?.[1]);
  const count = Number(document.querySelector("[data-steps]")?.dataset.steps);
  if (!(index <= count) || document.getElementById(`step-${index}`)) return;
  const address = new URL(location.href);
  if (address.searchParams.get("from") === String(index)) return;
  address.searchParams.set("from", index);
  location.replace(address);
}

// The searched words, wherever the steps on this page have them.
function highlight() {
  const words = document.querySelector("#search-words")?.value.toLowerCase();
  if (!words || !globalThis.Highlight) return;
  const ranges = [];
  for (const steps of document.querySelectorAll(".steps [data-step]")) {
    const texts = document.createTreeWalker(steps, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() && ranges.length < 2000) {
      const text = texts.currentNode.data.toLowerCase();
      for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
        const range = new Range();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + words.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}

function prepare() {
  const scrubber = document.querySelector(".scrubber");
  if (scrubber) scrubber.hidden = cards().length < 2;
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  hidePassing();
  mark(cards().find((card) => `#${card.id}` === location.hash));
}

addEventListener("hashchange", findWindow);
addEventListener("hashchange", () => mark(cards().find((card) => `#${card.id}` === location.hash)));
document.addEventListener("fresh", prepare);
prepare();
highlight();
findWindow();
