// What is shown of each step, remembered; pages that run in a frame once they are asked for.
const STORE = "replay-hidden";

function readHidden() {
  try {
    return new Set((localStorage.getItem(STORE) ?? "").split(" ").filter(Boolean));
  } catch {
    return new Set(); // Storage refused: everything is shown.
  }
}

function keep(hidden) {
  try {
    localStorage.setItem(STORE, [...hidden].join(" "));
  } catch {
    // Storage refused: the choice lasts for this page.
  }
}

const boxes = () => [...document.querySelectorAll("[data-show]")];

document.addEventListener("change", (event) => {
  if (!event.target.matches?.("[data-show]")) return;
  keep(new Set(boxes().filter((box) => !box.checked).map((box) => box.dataset.show)));
});

// Only its own link fills a frame, below the note on what the page can do. The empty one is hidden.
document.addEventListener("toggle", (event) => {
  if (!event.target.matches?.("[data-frame][open]")) return;
  const frame = event.target.querySelector("iframe");
  frame.hidden = !("filled" in frame.dataset);
}, { capture: true });

document.addEventListener("click", (event) => {
  const frame = event.target.closest?.("[data-frame] a[target]")?.closest("[data-frame]").querySelector("iframe");
  if (!frame) return;
  frame.dataset.filled = "";
  frame.hidden = false;
});

function restore() {
  const hidden = readHidden();
  for (const box of boxes()) box.checked = !hidden.has(box.dataset.show);
}

document.addEventListener("fresh", restore);
restore();
