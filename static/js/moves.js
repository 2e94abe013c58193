// What moved on a live part since the last look: tinted for a moment, by css/run.css.
// Another state of the whole (paused, for one) changes the page's buttons too: it is loaded again.
const valueOf = (item) => item.dataset.value ?? item.textContent;
const stateOf = (part) => part.querySelector("[data-state]")?.dataset.state;

function read(part) {
  const items = [...part.querySelectorAll("[data-moves]")];
  return new Map(items.map((item) => [item.dataset.moves, valueOf(item)]));
}

function tint(part, before) {
  for (const item of part.querySelectorAll("[data-moves]")) {
    const old = before.get(item.dataset.moves);
    if (old !== undefined && old !== valueOf(item)) item.classList.add("moved");
  }
}

for (const part of document.querySelectorAll("[data-live]")) {
  let before = read(part);
  let state = stateOf(part);
  part.addEventListener("fresh", () => {
    if (stateOf(part) !== state) return location.reload();
    tint(part, before);
    before = read(part);
    tick();
  });
}

// Nothing stands still while a reply is awaited: the time since a run was submitted, an attempt began.
function tick() {
  for (const item of document.querySelectorAll("[data-since]")) {
    const seconds = Math.max(0, Math.round((Date.now() - Date.parse(item.dataset.since)) / 1000));
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    const time = hours ? `${hours} h ${minutes % 60} min` : minutes ? `${minutes} min ${String(seconds % 60).padStart(2, "0")} s` : `${seconds} s`;
    item.textContent = item.dataset.words ? `${time} ${item.dataset.words}` : `for ${time}`;
  }
}

setInterval(tick, 1000);
tick();
