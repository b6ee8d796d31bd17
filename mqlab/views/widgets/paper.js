// A picture on paper (PDF): one page of its size, with its words behind it, so that a reader finds and copies them.

const DOTS = 3; // of the image, for a pixel of the picture
const POINTS = 0.75; // for a pixel

/** Bytes as zlib packs them, which PDF calls FlateDecode. */
const deflated = async (bytes) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer());

/** The words of an SVG element that is in the page, unseen, each at its place. */
function unseenWords(svg, high) {
  return [...svg.querySelectorAll("text")].map((text) => {
    const { x, width } = text.getBBox(), { a, e, f } = text.getCTM(), words = text.textContent.replace(/[^ -~\u00a0-\u00ff]/g, "?"), size = parseFloat(text.getAttribute("font-size")) * a;
    const stretched = words && size ? (100 * width * a) / (0.5 * size * words.length) : 100;
    return `/F ${size.toFixed(2)} Tf ${stretched.toFixed(1)} Tz 1 0 0 1 ${(x * a + e).toFixed(2)} ${(high - +text.getAttribute("y") * a - f).toFixed(2)} Tm (${words.replace(/[\\()]/g, "\\$&")}) Tj`;
  }).join("\n");
}

/** A picture as a PDF of one page. */
async function pdfOf(player) {
  const svg = stillOf(player), [, , wide, high] = svg.getAttribute("viewBox").split(" ").map(Number), paper = await paperOf(svg, DOTS);
  const { data } = paper.getContext("2d").getImageData(0, 0, paper.width, paper.height), colors = new Uint8Array((data.length / 4) * 3);
  for (let from = 0, to = 0; from < data.length; from += 4) { colors[to++] = data[from]; colors[to++] = data[from + 1]; colors[to++] = data[from + 2]; }
  const hidden = player.root.appendChild(h("div", { class: "mq-heard", "aria-hidden": "true" }, svg)), words = unseenWords(svg, high);
  hidden.remove();
  const image = await deflated(colors), bytes = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0)), parts = [], places = [];
  let length = 0;
  const write = (part) => { const made = typeof part === "string" ? bytes(part) : part; parts.push(made); length += made.length; };
  const object = (head, stream = null) => {
    places.push(length);
    write(`${places.length} 0 obj\n<<${head}${stream ? `/Length ${stream.length}` : ""}>>\n`);
    if (stream) { write("stream\n"); write(stream); write("\nendstream\n"); }
    write("endobj\n");
  };
  write("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n");
  object("/Type/Catalog/Pages 2 0 R");
  object("/Type/Pages/Kids[3 0 R]/Count 1");
  object(`/Type/Page/Parent 2 0 R/MediaBox[0 0 ${(wide * POINTS).toFixed(2)} ${(high * POINTS).toFixed(2)}]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>/Font<</F 6 0 R>>>>`);
  object("", bytes(`${POINTS} 0 0 ${POINTS} 0 0 cm\nq ${wide} 0 0 ${high} 0 0 cm /I Do Q\nBT 3 Tr\n${words}\nET`));
  object(`/Type/XObject/Subtype/Image/Width ${paper.width}/Height ${paper.height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode`, image);
  object("/Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding");
  const end = length;
  write(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")}trailer\n<</Size ${places.length + 1}/Root 1 0 R>>\nstartxref\n${end}\n%%EOF\n`);
  return new Blob(parts, { type: "application/pdf" });
}
