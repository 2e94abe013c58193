// The board's filters: a choice is applied at once, and the address stays short.
const form = document.querySelector("[data-filters]");

function address() {
  const asked = new URLSearchParams();
  const columns = [...form.querySelectorAll("[name=columns]")];
  for (const [key, value] of new FormData(form)) {
    if (value && key !== "columns") asked.set(key, value);
  }
  if (columns.some((box) => box.checked !== box.defaultChecked) || new URLSearchParams(location.search).has("columns")) {
    asked.set("columns", columns.filter((box) => box.checked).map((box) => box.value).join(","));
  }
  return `${form.getAttribute("action")}?${asked}`;
}

function apply(event) {
  event?.preventDefault();
  location.assign(address());
}

form?.addEventListener("submit", apply);
form?.addEventListener("change", (event) => {
  if (event.target.matches("select")) apply();
});

// Rows to compare: how many are ticked, and an address that lists them alone.
const chosen = document.querySelector("[data-chosen]");
const boxes = [...document.querySelectorAll('input[form="chosen"]')];
const copy = chosen?.querySelector("[data-copy]");

function ticked() {
  return boxes.filter((box) => box.checked).map((box) => box.value);
}

function countTicked() {
  const count = ticked().length;
  chosen.querySelector("[data-count]").textContent = count ? `${count} chosen` : "Tick rows to compare them.";
  copy.hidden = count === 0;
}

async function copyLink() {
  const asked = new URLSearchParams(location.search);
  asked.set("runs", ticked().join(","));
  asked.delete("page");
  try {
    await navigator.clipboard.writeText(`${location.origin}${location.pathname}?${asked}`);
    copy.textContent = "Copied";
  } catch {
    copy.textContent = "Cannot copy";
  }
  setTimeout(() => { copy.textContent = "Copy link"; }, 2000);
}

if (chosen) {
  for (const box of boxes) box.addEventListener("change", countTicked);
  copy.addEventListener("click", copyLink);
  countTicked();
}

// An open list closes when something else is clicked, and on Escape.
const picks = document.querySelectorAll("details[data-pick]");
document.addEventListener("click", (event) => {
  for (const pick of picks) if (!pick.contains(event.target)) pick.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const pick of picks) {
    if (!pick.open) continue;
    pick.open = false;
    pick.querySelector("summary").focus();
  }
});
