// What all charts share in looks: the page's template, in the colours of the theme as it is now.

// Tokens such as var(--ink) as the theme has them now; a custom property alone is not computed.
export function resolveColours(value, probe, isColour = false) {
  if (typeof value === "string" && isColour && value.includes("var(--")) {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  }
  if (Array.isArray(value)) return value.map((part) => resolveColours(part, probe, isColour));
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, resolveColours(part, probe, /color(scale)?$/.test(key))]),
  );
}

// Zooming is for a mouse on a wide page: on a phone a drag scrolls.
export function readTemplate(canZoom) {
  const { data, layout } = JSON.parse(document.getElementById("chart-template").textContent);
  const font = { ...layout.font, family: getComputedStyle(document.body).fontFamily };
  const still = (axis) => ({ ...axis, fixedrange: !canZoom });
  const axes = { xaxis: still(layout.xaxis), yaxis: still(layout.yaxis) };
  return { data, layout: { ...layout, ...axes, font, dragmode: canZoom ? "zoom" : false } };
}

// Where a click on a mark leads: its own address, its trace's, or that of its row of cells.
export function addressOf({ customdata, data: { meta }, pointNumber, x }) {
  const address = customdata ?? (Array.isArray(meta) ? meta[pointNumber[0]] : meta);
  return typeof address === "string" && address.startsWith("/") ? address.replace("%{x}", x) : "";
}
