// Walking a replay by keys: steps, tasks, failures; copying code and links.
import { keys } from "./site.js";

const cards = () => [...document.querySelectorAll("[data-step]")];
const shown = () => cards().filter((card) => !card.hidden);
let onlyFailed = false;

function mark(card) {
  for (const other of cards()) other.classList.toggle("is-current", other === card);
  for (const a of document.querySelectorAll(".ribbon ol a")) {
    a.classList.toggle("is-current", Boolean(card) && a.hash === `#${card.id}`);
  }
}

function go(by) {
  const list = shown();
  const at = list.findIndex((card) => card.classList.contains("is-current"));
  const card = list[Math.max(0, Math.min(list.length - 1, at < 0 ? 0 : at + by))];
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

for (const key of ["ArrowRight", "j"]) keys.set(key, () => go(1));
for (const key of ["ArrowLeft", "k"]) keys.set(key, () => go(-1));
keys.set("n", () => visit("next"));
keys.set("p", () => visit("previous"));
keys.set("N", () => visit("nextFailed"));
keys.set("P", () => visit("previousFailed"));
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

function prepare() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  hidePassing();
  mark(cards().find((card) => `#${card.id}` === location.hash));
}

addEventListener("hashchange", () => mark(cards().find((card) => `#${card.id}` === location.hash)));
document.addEventListener("fresh", prepare);
prepare();
