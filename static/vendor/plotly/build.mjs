// Bundles entry.js beside the style sheet and the licences of all it takes in.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";

const target = process.argv[2];

async function bundle() {
  const result = await build({
    entryPoints: ["entry.js"],
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "Plotly",
    target: "es2020",
    define: { global: "window", "define.amd": "false" },
    alias: { stream: "stream-browserify" },
    loader: { ".css": "empty" }, // the style sheet of maps, which are not in the bundle
    legalComments: "none", // LICENSE.txt has them all
    metafile: true,
    write: false,
  });
  return { code: result.outputFiles[0].contents, files: Object.values(result.metafile.outputs)[0].inputs };
}

// Plotly inserts its rules by script, which a policy without inline styles refuses. Each goes
// before the last one, so the file has them in reverse.
function extractStyles() {
  const source = readFileSync("node_modules/plotly.js/build/plotcss.js", "utf8");
  const rules = new Function(`return ${source.match(/var rules = (\{[\s\S]*?\n\});?/)[1]}`)();
  const lines = Object.entries(rules).map(([selector, style]) => {
    const full = selector.replace(/^,/, " ,").replace(/X/g, ".js-plotly-plot .plotly").replace(/Y/g, ".plotly-notifier");
    return `${full} { ${style} }`;
  });
  // A heatmap's pixels get this as a style attribute, which is refused as well.
  lines.unshift(".js-plotly-plot .hm image { image-rendering: pixelated; }");
  return `/* plotly.js ${versionOf("plotly.js")}, MIT licence; made by build.sh. */\n${lines.reverse().join("\n")}\n`;
}

const versionOf = (name) => JSON.parse(readFileSync(join("node_modules", name, "package.json"), "utf8")).version;

function packagesIn(files) {
  const taken = Object.keys(files).filter((path) => files[path].bytesInOutput > 0 && !path.endsWith(".css"));
  const names = taken.map((path) => path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]);
  return [...new Set(names.filter(Boolean))].sort();
}

function licenceOf(name) {
  const folder = join("node_modules", name);
  const facts = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${facts.license}`;
  return `${"=".repeat(72)}\n${name} ${facts.version} (${facts.license})\n${"=".repeat(72)}\n${text}\n`;
}

const { code, files } = await bundle();
const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 } };
writeFileSync(join(target, "plotly.min.js"), code);
writeFileSync(join(target, "plotly.min.js.br"), brotliCompressSync(code, best));
writeFileSync(join(target, "plotly.css"), extractStyles());
writeFileSync(join(target, "LICENSE.txt"), packagesIn(files).map(licenceOf).join("\n"));
