// What every page can do beyond its markup: theme, help, single keys, live progress.
import { follow } from "./live.js";

const root = document.documentElement;

function turnTheme() {
  const dark = getComputedStyle(root).colorScheme === "dark" ||
    (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    // Storage refused: the choice lasts for this page.
  }
}

function toggleHelp() {
  const help = document.querySelector("dialog.help");
  if (!help) return;
  if (help.open) help.close();
  else help.showModal();
}

export const keys = new Map([["t", turnTheme], ["?", toggleHelp]]);

function isTyping(target) {
  return target instanceof HTMLElement && target.type !== "checkbox" && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT|AUDIO)$/.test(target.tagName));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector("dialog[open]") && event.key !== "?") return;
  const act = keys.get(event.key);
  if (!act) return;
  event.preventDefault();
  act();
});

function showButtons() {
  for (const button of document.querySelectorAll("[data-act]")) button.hidden = false;
}

document.addEventListener("click", (event) => {
  keys.get(event.target.closest?.("[data-act]")?.dataset.act)?.();
});
document.addEventListener("fresh", showButtons);
showButtons();
for (const part of document.querySelectorAll("[data-live]")) follow(part);
