// Draws a page's charts when they come near the screen, and again when the theme changes. Those that
// the server has drawn wait until the reader does something: Plotly keeps the page busy for a while.
import { frame, save } from "./chart-image.js";
import { addressOf, readTemplate, resolveColours } from "./chart-look.js";
import { interest } from "./interest.js";

const places = [...document.querySelectorAll("[data-chart]")];
const narrow = matchMedia("(max-width: 640px)");
const mouse = matchMedia("(pointer: fine)");
const dark = matchMedia("(prefers-color-scheme: dark)");
const settings = { displayModeBar: false, responsive: true, doubleClick: "reset", showTips: false };
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

// The chart as a file of its own, on the ground it is seen on: its question above, its source below.
function offerImages(place) {
  const images = place.closest(".chart").querySelector("[data-images]");
  for (const button of images.querySelectorAll("button")) {
    button.disabled = false;
    button.onclick = async () => save(await frame(place, images.dataset), images.dataset.key, button.dataset.format);
  }
}

const drawn = new Map(); // place → figure
async function draw(place) {
  const { data, layout, narrow: onPhone } = drawn.get(place);
  const chosen = narrow.matches ? { ...layout, ...onPhone } : layout;
  const probe = place.appendChild(document.createElement("span"));
  const template = readTemplate(mouse.matches && !narrow.matches);
  const kept = { autosize: true, uirevision: "zoom" }; // a change of theme leaves what was zoomed to
  const figure = resolveColours({ data, layout: { ...chosen, ...kept, template } }, probe);
  probe.remove();
  await window.Plotly.react(place, figure.data, figure.layout, settings);
  place.dataset.state = "drawn";
}

// A mark is a link for a mouse: a click opens its run or attempt, beside this page with Ctrl or
// Cmd. A finger's tap shows what the mark says; the table has the links.
function follow(place) {
  place.on("plotly_click", ({ points: [point], event }) => {
    const address = addressOf(point);
    if (address && mouse.matches) window.open(address, event.ctrlKey || event.metaKey ? "_blank" : "_self");
  });
}

async function begin(place) {
  try {
    if (place.querySelector(".chart-plain")) await interest;
    const [figure] = await Promise.all([loadFigure(place.dataset.src), loadLibrary(place.dataset)]);
    drawn.set(place, figure);
    place.replaceChildren();
    await draw(place);
    follow(place);
    offerImages(place);
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
}, { rootMargin: "200px" });
places.forEach((place) => watcher.observe(place));

const redraw = () => drawn.forEach((_, place) => draw(place));
new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
for (const query of [narrow, mouse, dark]) query.addEventListener("change", redraw);
