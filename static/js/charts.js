// Draws a page's charts when they come near the screen, and again when the theme changes.
import { resolveColours, shareLook } from "./chart-look.js";

const places = [...document.querySelectorAll("[data-chart]")];
const narrow = matchMedia("(max-width: 640px)");
const dark = matchMedia("(prefers-color-scheme: dark)");
const settings = { displayModeBar: false, responsive: true, doubleClick: false, showTips: false };
const TIME_LIMIT_MS = 20_000;

let library;
function loadLibrary({ bundle, styles }) {
  library ??= Promise.all([
    // Plotly would insert its rules by script; the class tells it that the sheet has them.
    load("link", { id: "plotly.js-style-global", className: "no-inline-styles", rel: "stylesheet", href: styles }),
    load("script", { src: bundle }),
  ]);
  return library;
}

function load(tag, properties) {
  const element = Object.assign(document.createElement(tag), properties);
  document.head.append(element);
  return new Promise((resolve, reject) => {
    element.onload = resolve;
    element.onerror = () => reject(new Error(`${properties.src ?? properties.href} did not load`));
  });
}

async function loadFigure(src) {
  const response = await fetch(src, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return (await response.json()).figure;
}

// The chart as a file of its own, on the ground it is seen on.
function offerImage(place) {
  const button = place.closest(".chart").querySelector("[data-image]");
  button.disabled = false;
  button.onclick = () => {
    const layout = { ...place.layout, paper_bgcolor: getComputedStyle(document.body).backgroundColor };
    const size = { width: place.clientWidth, height: place.clientHeight };
    window.Plotly.downloadImage({ data: place.data, layout }, { format: "svg", filename: button.dataset.image, ...size });
  };
}

const drawn = new Map(); // place → figure
async function draw(place) {
  const { data, layout, narrow: onPhone } = drawn.get(place);
  const chosen = narrow.matches ? { ...layout, ...onPhone } : layout;
  const probe = place.appendChild(document.createElement("span"));
  const figure = resolveColours({ data, layout: { ...chosen, autosize: true, template: shareLook() } }, probe);
  probe.remove();
  await window.Plotly.react(place, figure.data, figure.layout, settings);
  place.dataset.state = "drawn";
}

async function begin(place) {
  try {
    const [figure] = await Promise.all([loadFigure(place.dataset.src), loadLibrary(place.dataset)]);
    drawn.set(place, figure);
    place.replaceChildren();
    await draw(place);
    offerImage(place);
  } catch (error) {
    place.dataset.state = "failed";
    place.textContent = `This chart could not be drawn: ${error.message}. The table below has the same numbers.`;
  }
}

const watcher = new IntersectionObserver((entries) => {
  for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
    watcher.unobserve(target);
    begin(target);
  }
}, { rootMargin: "400px" });
places.forEach((place) => watcher.observe(place));

const redraw = () => drawn.forEach((_, place) => draw(place));
new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
for (const query of [narrow, dark]) query.addEventListener("change", redraw);
