// What is shown of each step, remembered; pages that run in a frame once they are opened.
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

// A frame is filled by its own link, so that it works on a click without this, too.
document.addEventListener("toggle", (event) => {
  if (!event.target.matches?.("[data-frame][open]")) return;
  const frame = event.target.querySelector("iframe");
  if (!frame.src) frame.src = event.target.querySelector("a").href;
}, { capture: true });

function restore() {
  const hidden = readHidden();
  for (const box of boxes()) box.checked = !hidden.has(box.dataset.show);
}

document.addEventListener("fresh", restore);
restore();
