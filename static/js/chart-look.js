// What all charts share in looks, in the colours of the theme as it is now.

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

export function shareLook() {
  const axis = {
    gridcolor: "var(--line)", linecolor: "var(--line-strong)", zerolinecolor: "var(--line)",
    tickfont: { color: "var(--ink-soft)" }, title: { standoff: 8, font: { color: "var(--ink-faint)", size: 12 } }, fixedrange: true,
  };
  const clear = "rgba(0, 0, 0, 0)";
  return {
    layout: {
      font: { family: getComputedStyle(document.body).fontFamily, size: 12, color: "var(--ink-soft)" },
      paper_bgcolor: clear, plot_bgcolor: clear, dragmode: false, hovermode: "closest",
      hoverlabel: { bgcolor: "var(--sheet)", bordercolor: "var(--line-strong)", align: "left", font: { color: "var(--ink)" } },
      xaxis: axis, yaxis: axis, legend: { font: { color: "var(--ink-soft)" } },
      polar: { bgcolor: clear, radialaxis: { ...axis, layer: "above traces" }, angularaxis: axis },
    },
  };
}
