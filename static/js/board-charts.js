// The board's charts: fetched when the reader comes near them, then drawn by charts.js.
import "./interest.js"; // which listens from the start

const place = document.querySelector("[data-charts]");
const TIME_LIMIT_MS = 20_000;

async function fill() {
  try {
    const response = await fetch(place.dataset.charts, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
    place.replaceChildren(...parsed.body.childNodes);
    await import(place.dataset.module);
  } catch (error) {
    const said = document.createElement("p");
    said.className = "refusal";
    said.textContent = `The charts could not be loaded: ${error.message}. The link above leads to them.`;
    place.replaceChildren(said);
  }
}

if (place) {
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    fill();
  }, { rootMargin: "300px" });
  watcher.observe(place);
}
