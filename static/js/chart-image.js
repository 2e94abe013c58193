// A drawn chart as a picture that stands alone: title, what it is of, date and address are in it.
const SPACE = "http://www.w3.org/2000/svg";
const PAD = 16, HEAD = 64, FOOT = 36, SCALE = 2;
const SIZES = { title: 16, about: 12, source: 11 };
const LEAST = 6; // of letters

function element(name, attributes, text = "") {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

// A line as the browser would set it in the room there is: smaller where it is long, cut where it is longer still.
function fit(text, size, weight, family, room) {
  const ruler = document.createElement("canvas").getContext("2d");
  ruler.font = `${weight} ${size}px ${family}`;
  const full = ruler.measureText(text).width;
  if (full <= room) return [text, size];
  const letters = Math.max(LEAST, Math.floor((20 * size * room) / full) / 20);
  ruler.font = `${weight} ${letters}px ${family}`;
  let length = text.length;
  const shown = () => (length < text.length ? `${text.slice(0, length).trimEnd()}…` : text);
  while (length && ruler.measureText(shown()).width > room) length -= 1;
  return [shown(), letters];
}

// The markup of the whole picture. Plotly's part stays text: parsed here, its styles would be refused.
export async function frame(place, { title, about, address, day }) {
  const [width, height] = [place.clientWidth, place.clientHeight];
  const drawn = await window.Plotly.toImage({ data: place.data, layout: place.layout }, { format: "svg", width, height });
  const chart = decodeURIComponent(drawn.slice(drawn.indexOf(",") + 1)).replace("<svg ", `<svg x="${PAD}" y="${HEAD}" `);
  const { fontFamily: family, backgroundColor: ground, color: ink } = getComputedStyle(document.body);
  const size = [width + 2 * PAD, height + HEAD + FOOT];
  const whole = element("svg", { width: size[0], height: size[1], "font-family": family, fill: ink });
  const line = (y, words, size, weight, more = {}) => {
    const [text, letters] = fit(words, size, weight, family, width);
    return element("text", { x: PAD, y, "font-size": letters, "font-weight": weight, ...more }, text);
  };
  const faint = { "fill-opacity": 0.7 };
  whole.append(
    element("rect", { width: "100%", height: "100%", fill: ground }),
    line(28, title, SIZES.title, 600),
    line(48, `${day ?? new Date().toISOString().slice(0, 10)}, ${about}`, SIZES.about, 400, faint),
    line(size[1] - 14, `PyBench, ${location.origin}${address}`, SIZES.source, 400, faint),
  );
  const source = new XMLSerializer().serializeToString(whole);
  return { source: source.replace(/<\/svg>$/, () => `${chart}</svg>`), size };
}

export async function save(picture, name, format) {
  const made = format === "svg" ? new Blob([picture.source], { type: "image/svg+xml" }) : await paint(picture);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(made);
  link.download = `${name}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function paint({ source, size }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = size.map((side) => SCALE * side);
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
