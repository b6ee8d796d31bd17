async ({ notebook, most }) => {
    const frames = (many = 2) => new Promise((done) => {
        const next = (left) => (left ? requestAnimationFrame(() => next(left - 1)) : setTimeout(done));
        next(many);
    });
    const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    const stage = () => document.querySelector(".mq-picture").getBoundingClientRect();
    const touch = (a, b, by = 1) => a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;
    const words = (each) => each.textContent.replace(/\s+/g, " ").trim();

    /** The texts of the drawing, each with its place on the screen and the box that it belongs to. */
    const drawn = () => [...document.querySelectorAll(".mq-picture svg text")].map((each) => {
        const { left, right, top, bottom, height } = each.getBoundingClientRect(), air = 0.2 * height;
        const pixels = parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a;
        return { each, words: words(each), pixels, part: each.closest("[data-part]")?.dataset.part ?? "",
            left: left + 0.5, right: right - 0.5, top: top + air, bottom: bottom - air };
    });

    /** Those in sight, as much of each as is in sight, and whether the edge of the picture cuts it. */
    const inSight = (texts) => {
        const view = stage();
        return texts.filter((each) => touch(each, view, 0)).map((each) => {
            const left = Math.max(each.left, view.left), right = Math.min(each.right, view.right), top = Math.max(each.top, view.top), bottom = Math.min(each.bottom, view.bottom);
            return { ...each, left, right, top, bottom, cut: right - left < each.right - each.left - 2 || bottom - top < each.bottom - each.top - 2 };
        });
    };

    /** The lines of words around the drawing, each with its place on the screen. */
    const written = () => {
        const found = [], leave = `svg, select, .mq-events, .mq-depths, .mq-lives, .mq-heard, dialog, [hidden]${player.presenting ? ", .mq-bar" : ""}`;
        const accept = (node) => (node.nodeType === Node.TEXT_NODE ? (node.data.trim() ? 1 : 3) : node.matches(leave) || !node.checkVisibility() ? 2 : 3);
        const walker = document.createTreeWalker(document.querySelector(".mq-frame"), NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, accept);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const host = node.parentElement, range = document.createRange(), pixels = parseFloat(getComputedStyle(host).fontSize);
            range.selectNodeContents(node);
            const room = host.closest(".mq-text, .mq-said"), end = room ? room.getBoundingClientRect().bottom : Infinity; // further lines come on request
            const each = new Map([...range.getClientRects()].map((rect) => [`${rect.left} ${rect.top}`, rect])); // a line that "…" ends is told twice
            for (const { left, right, top, bottom, width, height } of each.values())
                if (width > 1 && (top + bottom) / 2 < end) found.push({ words: words(node), host, pixels, left, right, top: top + 0.2 * height, bottom: bottom - 0.2 * height });
        }
        return found;
    };

    /** How many lines a paragraph of the narration takes. */
    const lines = (name, around) => {
        const host = document.querySelector(`.mq-told .mq-${name}`);
        return new Set(around.filter((each) => host?.contains(each.host)).map(({ top }) => Math.round(top / 4))).size;
    };

    /** The shape of each box on the screen, by the kind of the box. */
    const shapes = () => [...document.querySelectorAll(".mq-picture g.box")].map((each) => {
        const { left, right, top, bottom } = (each.querySelector("rect, path") ?? each).getBoundingClientRect();
        return { part: each.dataset.part, kind: /of-(\w+)/.exec(each.getAttribute("class"))?.[1] ?? "", left, right, top, bottom };
    });
    const leaf = ({ kind }) => ["card", "closed", "stacked", "chip", "rest"].includes(kind);

    /** Words over words, boxes over boxes, and words over a box that is not theirs. */
    const overlaps = (texts, around, boxes) => {
        const found = [], all = [...texts, ...around], leaves = boxes.filter(leaf);
        all.forEach((a, i) => all.slice(i + 1).forEach((b) => { if (touch(a, b, 0)) found.push(`"${a.words}" over "${b.words}"`); }));
        leaves.forEach((a, i) => leaves.slice(i + 1).forEach((b) => { if (touch(a, b, 2)) found.push(`box ${a.part} over box ${b.part}`); }));
        for (const text of texts) for (const box of leaves)
            if (text.part !== box.part && touch(text, box, 2)) found.push(`"${text.words}" over box ${box.part}`);
        const told = document.querySelector(".mq-told");
        if (player.presenting && told.scrollHeight > told.clientHeight + 1) found.push("words under the edge of the window");
        return found;
    };

    /** Queues and channels whose boxes say only their names. */
    const bare = () => [...player.canvas.pieces.values()].map(({ g }) => g).filter((g) => {
        const node = player.canvas.model.nodes.get(g.dataset.part), second = g.matches(".of-card") && (node?.kind === "channel" || (node?.kind === "queue" && !node.target));
        return second && g.querySelectorAll("text:not(.letter)").length < 2;
    }).map((g) => g.dataset.part);

    /** Why an object is in trouble by its fact, "" if it is not. */
    const troubleOf = (node, fact) => {
        if (node.kind === "channel") return ["RETRYING", "STOPPED", "PAUSED"].includes(fact?.[0]) ? fact[0] : "";
        if (node.kind === "qmgr" && fact === false) return "ended";
        if (node.kind === "structure" && fact === "FAILED") return "failed";
        if (node.kind !== "queue" || !Array.isArray(fact)) return "";
        const [depth, , , limit] = fact;
        return node.type === "dead-letter" && depth ? "dead letters" : limit > 0 && depth >= limit ? "full" : "";
    };

    /** Alarms in the facts that the drawing does not name: cut links, channels and queues in trouble, and those that ended. */
    const folded = (texts) => {
        const n = player.position, { recording, canvas } = player, fact = (id) => recording.fact(id, n), found = [];
        const cuts = Object.keys(recording.facts).filter((each) => each.startsWith("link:") && fact(each) === false);
        const named = (name, titles) => texts.some(({ each, words }) => words.includes(name) && (titles || !each.matches(".title")));
        for (const node of canvas.model.nodes.values()) {
            if (fact(node.id) === null) continue;
            const now = fact(node.id), why = troubleOf(node, now), own = node.name ?? node.id;
            if (why && !named(own, node.kind !== "queue" && node.kind !== "channel")) found.push(`${node.id} (${why})`);
            const doubtful = node.kind === "channel" && now?.[2] && (why || cuts.some((id) => id.slice(5).split("|").includes(node.qmgr)));
            if (doubtful && !texts.some((each) => /\bin doubt\b/.test(each.words))) found.push(`${node.id} (in doubt)`);
        }
        for (const id of cuts) {
            const ends = id.slice(5).split("|"), missing = ends.filter((each) => !named(each, true));
            const room = (end) => canvas.model.nodes.get(end)?.qmgr ?? end;
            const cut = [...canvas.pieces.values()].some(({ g }) => {
                const line = canvas.scene.lines.find((each) => each.id === g.dataset.part);
                const between = line?.of.some((edge) => [room(edge.source), room(edge.target)].sort().join() === ends.slice().sort().join());
                return between && g.querySelector(".way.cut");
            });
            const sign = texts.some((each) => /\bcut\b/.test(each.words));
            if (missing.length || !cut || !sign) found.push(`link ${ends.join(" - ")}${missing.length ? `, ${missing.join(" and ")} not named` : ""}${cut ? "" : ", no line"}${sign ? "" : ", no sign"}`);
        }
        return found;
    };

    /** How far the sign of each cut link is from the box of the end that has fewer lines, in pixels. */
    const far = (texts) => {
        const n = player.position, { recording, canvas } = player, { nodes } = canvas.model, found = {};
        const room = (end) => nodes.get(end)?.qmgr ?? end, pairs = canvas.model.edges.map((edge) => [room(edge.source), room(edge.target)]).filter(([a, b]) => a !== b);
        const partners = (end) => new Set(pairs.filter((pair) => pair.includes(end)).flat()).size;
        const boxOf = (end) => document.querySelector(`.mq-picture [data-part="${CSS.escape(end)}"]`)?.querySelector("rect, path")?.getBoundingClientRect();
        const signs = texts.filter((each) => /\bcut\b/.test(each.words));
        for (const id of Object.keys(recording.facts).filter((each) => each.startsWith("link:") && recording.fact(each, n) === false)) {
            const ends = id.slice(5).split("|"), fewest = Math.min(...ends.map(partners));
            const boxes = ends.filter((end) => partners(end) === fewest).map(boxOf).filter(Boolean);
            const away = boxes.flatMap((box) => signs.map(({ left, right, top, bottom }) => Math.hypot(Math.max(box.left - right, left - box.right, 0), Math.max(box.top - bottom, top - box.bottom, 0))));
            if (away.length) found[id.slice(5)] = Math.round(Math.min(...away));
        }
        return found;
    };

    /** What of the drawing is in sight: its share of the picture and of the screen. */
    const share = (boxes) => {
        const all = boxes.filter(({ kind }) => kind !== "zone"), view = stage();
        if (!all.length) return [0, 0];
        const within = (value, low, high) => Math.min(high, Math.max(low, value));
        const left = within(Math.min(...all.map((each) => each.left)), view.left, view.right), right = within(Math.max(...all.map((each) => each.right)), view.left, view.right);
        const top = within(Math.min(...all.map((each) => each.top)), view.top, view.bottom), bottom = within(Math.max(...all.map((each) => each.bottom)), view.top, view.bottom);
        const area = (right - left) * (bottom - top);
        return [area / (view.width * view.height), area / (innerWidth * innerHeight)];
    };

    /** The drawing as it is seen: without what only those hear who do not see it. */
    const picture = () => document.querySelector(".mq-picture svg").innerHTML.replace(/ aria-[a-z]+="[^"]*"|<title>.*?<\/title>/g, "");

    const heading = () => words(document.querySelector(".mq-told > :is(h1, h2, h3, h4)"));
    const stops = [], { recording } = player;
    press("Home");
    if (notebook === Boolean(player.presenting)) press("p");
    await frames(3);
    for (let before = null; stops.length < most;) {
        const every = drawn(), texts = inSight(every), around = written(), boxes = shapes(), now = picture(), own = recording.steps.kind[player.position];
        const all = [...texts, ...around], smallest = all.reduce((best, each) => (each.pixels < best.pixels ? each : best), { pixels: Infinity });
        const short = texts.filter(({ each, words }) => /\S…|…\S/.test(words) && !each.matches(".digit")); // data of a message may be short
        const [ofPicture, ofScreen] = share(boxes);
        stops.push({
            at: player.position, shot: own === "shot", same: now === before, told: document.querySelector(".mq-text").textContent, said: document.querySelector(".mq-said").textContent || heading(),
            states: short.filter(({ each }) => !each.matches(".mono, .title")).map((each) => each.words),
            names: short.filter(({ each }) => each.matches(".mono, .title")).map((each) => each.words),
            cut: texts.filter((each) => each.cut).map((each) => each.words), bare: bare(), folded: folded(every), far: far(texts), share: ofPicture, screen: ofScreen, overlaps: overlaps(texts, around, boxes),
            lines: Object.fromEntries(["text", "said"].map((name) => [name, lines(name, around)])),
            least: smallest.pixels, smallest: smallest.words, cards: boxes.filter(leaf).length,
        });
        before = now;
        const at = player.position;
        press(notebook ? "End" : " ");
        await frames();
        await player.riding;
        if (player.position === at) break;
    }
    return { stops, objects: recording.plan.objects.length, rooms: recording.plan.qmgrs.length };
}
