// Slides of a story's stops (PPTX), made in the page: on each its words, its picture, and the speaker's notes. The slides
// that Python makes (mqlab/views/takeaway/slides.py) have shapes in place of the picture.

const EMU = 914_400; // an inch
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships", PARTS = "application/vnd.openxmlformats-officedocument";
const SPACES = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;
const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SLIDE_ROOM = [0.4, 1.5, 12.53, 5.6]; // of the picture, in inches: from the left, from the top, width, height
const COLOR_MAP = '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';
const CRC = Uint32Array.from({ length: 256 }, (_, n) => { for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n; });

/** Files, [name, bytes] each, as a zip that packs nothing: images are packed already. */
function zipped(files) {
  const parts = [], contents = [], numbers = (...pairs) => Uint8Array.from(pairs.flatMap(([value, size]) => Array.from({ length: size }, (_, at) => (value >>> (8 * at)) & 255)));
  let place = 0, listed = 0;
  for (const [name, bytes] of files) {
    const title = new TextEncoder().encode(name), crc = (bytes.reduce((sum, byte) => CRC[(sum ^ byte) & 255] ^ (sum >>> 8), ~0) ^ ~0) >>> 0;
    const about = [[20, 2], [0, 4], [0, 2], [33, 2], [crc, 4], [bytes.length, 4], [bytes.length, 4], [title.length, 2], [0, 2]]; // of 1 January 1980: the same story gives the same bytes
    const head = numbers([0x04034b50, 4], ...about), entry = numbers([0x02014b50, 4], [20, 2], ...about, [0, 2], [0, 2], [0, 2], [0, 4], [place, 4]);
    parts.push(head, title, bytes);
    contents.push(entry, title);
    place += head.length + title.length + bytes.length;
    listed += entry.length + title.length;
  }
  return new Blob([...parts, ...contents, numbers([0x06054b50, 4], [0, 4], [files.length, 2], [files.length, 2], [listed, 4], [place, 4], [0, 2])], { type: `${PARTS}.presentationml.presentation` });
}

/** A tree of shapes. */
const shapeTree = (...shapes) => `<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes.join("")}</p:spTree>`;
const solid = (color) => `<a:solidFill><a:srgbClr val="${color.slice(1)}"/></a:solidFill>`;
const placed = (x, y, wide, high) => `<a:xfrm><a:off x="${Math.round(x * EMU)}" y="${Math.round(y * EMU)}"/><a:ext cx="${Math.round(wide * EMU)}" cy="${Math.round(high * EMU)}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>`;

/** A text box at a place in inches; nothing for no words. */
function textBox(id, words, place, points, color, bold = false) {
  return words && `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="TextBox ${id}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr>${placed(...place)}<a:noFill/></p:spPr><p:txBody><a:bodyPr wrap="square"/><a:lstStyle/><a:p><a:r><a:rPr lang="en-US" sz="${points * 100}" b="${+bold}">${solid(color)}</a:rPr><a:t>${escaped(words)}</a:t></a:r></a:p></p:txBody></p:sp>`;
}

/** A place of the master for something: the notes, or the image of the slide. */
const placeholder = (id, name, kind, words = null) => `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr/><p:nvPr><p:ph type="${kind}" idx="${id}"/></p:nvPr></p:nvSpPr><p:spPr/>${words ? `<p:txBody><a:bodyPr/><a:lstStyle/>${words.map((each) => `<a:p><a:r><a:rPr lang="en-US"/><a:t>${escaped(each)}</a:t></a:r></a:p>`).join("")}</p:txBody>` : ""}</p:sp>`;

/** A theme in the colors of the player. */
function themeOf(colors) {
  const named = { dk1: "ink", lt1: "paper", dk2: "muted", lt2: "panel", accent1: "live", accent2: "alarm", accent3: "puts", accent4: "gets", accent5: "structure", accent6: "edge", hlink: "live", folHlink: "muted" };
  const three = (each) => each.repeat(3), fill = three('<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'), font = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>';
  return `<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="mqlab"><a:themeElements><a:clrScheme name="mqlab">${Object.entries(named).map(([name, role]) => `<a:${name}><a:srgbClr val="${colors[role].slice(1)}"/></a:${name}>`).join("")}</a:clrScheme><a:fontScheme name="mqlab"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme><a:fmtScheme name="mqlab"><a:fillStyleLst>${fill}</a:fillStyleLst><a:lnStyleLst>${three('<a:ln w="9525"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln>')}</a:lnStyleLst><a:effectStyleLst>${three("<a:effectStyle><a:effectLst/></a:effectStyle>")}</a:effectStyleLst><a:bgFillStyleLst>${fill}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
}

/** The parts of a presentation: write(path, XML without its head, type, related parts), and its files so far. */
class Deck {
  constructor() { this.files = []; this.types = []; }

  write(path, xml, type = "", related = []) {
    this.files.push([path, new TextEncoder().encode(XML_HEAD + xml)]);
    if (type) this.types.push(`<Override PartName="/${path}" ContentType="${PARTS}.${type}+xml"/>`);
    const folder = path.slice(0, path.lastIndexOf("/") + 1), name = path.slice(folder.length);
    if (related.length) this.write(`${folder}_rels/${name}.rels`, `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related.map(([kind, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${kind}" Target="${target}"/>`).join("")}</Relationships>`);
  }
}

/** What a speaker says at a step: the chapter, the sentence, the rule, and what led to it. */
function notesAt(player, n) {
  const { recording } = player, { steps } = recording, [, title, told] = recording.chapter(n) ?? [], rule = steps.rule[n], at = (step) => `${recording.clock(steps.time_us[step], 0)}: ${sentence(recording.told(step))}`;
  return [title ? `${title}. ${told}` : "", steps.kind[n] === "chapter" ? "" : at(n), recording.rules[rule] ? `Rule ${rule}: ${recording.rules[rule]}.` : "", ...causesOf(player, n).map((step) => `Because, at ${at(step)}`)].filter(Boolean);
}

/** A slide for each stop of the story, after one with the title. */
async function deckOf(player) {
  const { recording, root } = player, colors = colorsAt(root), deck = new Deck(), part = (name) => `presentationml.${name}`, stops = [...recording.story.keys()], count = stops.length + 1;
  const theme = themeOf(colors), ground = `<p:bg><p:bgPr>${solid(colors.paper)}<a:effectLst/></p:bgPr></p:bg>`, over = "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>";
  const slide = (number, shapes, notes = null, image = null) => {
    const related = [["slideLayout", "../slideLayouts/slideLayout1.xml"], ...(notes ? [["notesSlide", `../notesSlides/notesSlide${number}.xml`], ["image", `../media/image${number}.png`]] : [])];
    deck.write(`ppt/slides/slide${number}.xml`, `<p:sld ${SPACES}><p:cSld>${shapeTree(...shapes)}</p:cSld>${over}</p:sld>`, part("slide"), related);
    if (!notes) return;
    deck.write(`ppt/notesSlides/notesSlide${number}.xml`, `<p:notes ${SPACES}><p:cSld>${shapeTree(placeholder(2, "Slide Image", "sldImg"), placeholder(3, "Notes", "body", notes))}</p:cSld>${over}</p:notes>`, part("notesSlide"), [["notesMaster", "../notesMasters/notesMaster1.xml"], ["slide", `../slides/slide${number}.xml`]]);
    deck.files.push([`ppt/media/image${number}.png`, image]);
  };
  slide(1, [textBox(2, player.heading.textContent, [0.9, 2.6, 11.5, 1.4], 40, colors.ink, true), textBox(3, recording.managers.join(", "), [0.9, 4, 11.5, 0.8], 20, colors.muted)]);
  for (const [at, n] of stops.entries()) {
    const chapter = recording.chapter(n), said = recording.steps.kind[n] === "chapter" ? chapter[2] : sentence(recording.told(n)), svg = stillOf(player, n, []);
    const [, , wide, high] = svg.getAttribute("viewBox").split(" ").map(Number), scale = Math.min(SLIDE_ROOM[2] / wide, SLIDE_ROOM[3] / high, 1 / 58), place = [SLIDE_ROOM[0] + (SLIDE_ROOM[2] - wide * scale) / 2, SLIDE_ROOM[1] + (SLIDE_ROOM[3] - high * scale) / 2, wide * scale, high * scale];
    const picture = `<p:pic><p:nvPicPr><p:cNvPr id="5" name="Picture" descr="${escaped(svg.getAttribute("aria-label"))}"/><p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rId3"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>${placed(...place)}</p:spPr></p:pic>`;
    const words = [textBox(2, chapter?.[1] ?? said, [0.4, 0.2, 10.9, 0.6], 24, colors.ink, true), textBox(3, chapter ? said : "", [0.4, 0.78, 12.5, 0.7], 16, colors.ink), textBox(4, recording.clock(recording.steps.time_us[n], 0), [11.4, 0.25, 1.53, 0.5], 16, colors.muted)];
    slide(at + 2, [...words, picture], notesAt(player, n), new Uint8Array(await (await pngOf(svg)).arrayBuffer()));
  }
  deck.write("ppt/theme/theme1.xml", theme, "theme");
  deck.write("ppt/theme/theme2.xml", theme, "theme");
  deck.write("ppt/slideMasters/slideMaster1.xml", `<p:sldMaster ${SPACES}><p:cSld>${ground}${shapeTree()}</p:cSld>${COLOR_MAP}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`, part("slideMaster"), [["slideLayout", "../slideLayouts/slideLayout1.xml"], ["theme", "../theme/theme1.xml"]]);
  deck.write("ppt/slideLayouts/slideLayout1.xml", `<p:sldLayout ${SPACES} type="blank" preserve="1"><p:cSld name="Blank">${shapeTree()}</p:cSld>${over}</p:sldLayout>`, part("slideLayout"), [["slideMaster", "../slideMasters/slideMaster1.xml"]]);
  deck.write("ppt/notesMasters/notesMaster1.xml", `<p:notesMaster ${SPACES}><p:cSld>${shapeTree(placeholder(2, "Slide Image", "sldImg"), placeholder(3, "Notes", "body", [" "]))}</p:cSld>${COLOR_MAP}</p:notesMaster>`, part("notesMaster"), [["theme", "../theme/theme2.xml"]]);
  const slides = Array.from({ length: count }, (_, at) => at + 1);
  deck.write("ppt/presentation.xml", `<p:presentation ${SPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:notesMasterIdLst><p:notesMasterId r:id="rId2"/></p:notesMasterIdLst><p:sldIdLst>${slides.map((number) => `<p:sldId id="${255 + number}" r:id="rId${number + 2}"/>`).join("")}</p:sldIdLst><p:sldSz cx="12192000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`, `${part("presentation.main")}`, [["slideMaster", "slideMasters/slideMaster1.xml"], ["notesMaster", "notesMasters/notesMaster1.xml"], ...slides.map((number) => ["slide", `slides/slide${number}.xml`])]);
  deck.files.push(["_rels/.rels", new TextEncoder().encode(`${XML_HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="ppt/presentation.xml"/></Relationships>`)]);
  const types = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>`;
  deck.files.unshift(["[Content_Types].xml", new TextEncoder().encode(`${XML_HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types}${deck.types.join("")}</Types>`)]);
  return zipped(deck.files);
}
