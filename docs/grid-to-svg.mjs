// Draws the cells of a terminal as an SVG picture: one `text` per run of equal looks, held to its cells by `textLength`.

const CELL = { width: 8.4, height: 18, baseline: 13 };
const PAD = 14;
const BAR = 26;
const COLOURS = { paper: "#16181d", text: "#d4d4d4", bar: "#22252c" };
const FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

/** `grid` is rows of cells as `PtyScreen.grid` gives them; `columns` is the window's width in cells. */
export function gridToSvg(grid, columns, title) {
  const width = round(columns * CELL.width + 2 * PAD);
  const height = grid.length * CELL.height + 2 * PAD + BAR;
  const body = grid.flatMap((row, index) => drawRow(row, BAR + PAD + index * CELL.height));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${asXml(title)}">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${COLOURS.paper}"/>`,
    `<path d="M0 8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v${BAR - 8}H0z" fill="${COLOURS.bar}"/>`,
    `<g font-family="${FONT}" font-size="14" xml:space="preserve">`,
    `<text x="${width / 2}" y="17" fill="#8a8f98" font-size="12" text-anchor="middle">${asXml(title)}</text>`,
    ...body,
    "</g>",
    "</svg>\n",
  ].join("\n");
}

function drawRow(row, top) {
  const out = [];
  for (const run of runsOf(row)) {
    const x = round(PAD + run.column * CELL.width);
    const width = round(run.cells * CELL.width);
    const [front, back] = coloursOf(run.look);
    if (back !== undefined) {
      out.push(`<rect x="${x}" y="${top}" width="${width}" height="${CELL.height}" fill="${back}"/>`);
    }
    if (run.text.trim() === "") continue;
    out.push(
      `<text x="${x}" y="${top + CELL.baseline}" fill="${front}" textLength="${width}"${styleOf(run.look)}>${asXml(run.text)}</text>`,
    );
  }
  return out;
}

/** Neighbours that look the same; a wide character stands alone, so that its neighbours keep their cells. */
function runsOf(row) {
  const runs = [];
  let column = 0;
  for (const { text, width, ...look } of row) {
    const last = runs.at(-1);
    const key = JSON.stringify(look);
    const box = /[\u2500-\u257f]/.test(text);
    if (last?.key === key && width === 1 && last.narrow && last.box === box) {
      last.text += text;
      last.cells += 1;
    } else runs.push({ key, look, text, column, cells: width, narrow: width === 1, box });
    column += width;
  }
  return runs;
}

function coloursOf(look) {
  const front = hex(look.color) ?? COLOURS.text;
  const back = hex(look.background);
  return look.inverse ? [back ?? COLOURS.paper, front] : [front, back];
}

function styleOf(look) {
  const styles = [
    look.bold && ' font-weight="bold"',
    look.faint && ' opacity="0.6"',
    look.italic && ' font-style="italic"',
    look.underline && ' text-decoration="underline"',
  ];
  return styles.filter(Boolean).join("");
}

/** xterm's palette: 16 named colours, a cube of 6x6x6, 24 greys. */
function hex(colour) {
  if (colour === undefined || typeof colour === "string") return colour;
  if (colour < 16) return NAMED[colour];
  if (colour >= 232) return rgb(...Array(3).fill(8 + 10 * (colour - 232)));
  const cube = colour - 16;
  const level = (step) => (step === 0 ? 0 : 55 + 40 * step);
  return rgb(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

function rgb(...parts) {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function asXml(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

function round(value) {
  return Math.round(value * 100) / 100;
}

const NAMED = [
  ...["#1c1f26", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d4d4d4"],
  ...["#5c6370", "#ff7b85", "#b5e890", "#ffd68a", "#82c4ff", "#e29cf5", "#7bdce8", "#ffffff"],
];
