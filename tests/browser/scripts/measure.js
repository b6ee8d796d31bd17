async (stops) => {
    const over = new Set();
    const bare = new Set(), named = ["card", "room", "closed", "stacked", "chip", "rest", "panel", "structure"];
    let least = Infinity;
    const shown = (text) => {
        const { left, right, top, bottom, height } = text.getBoundingClientRect(), air = 0.18 * height;
        const pixels = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a, words = text.textContent;
        return { words, pixels, left: left + 0.5, right: right - 0.5, top: top + air, bottom: bottom - air };
    };
    for (const stop of stops) {
        player.go(stop);
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        const texts = [...document.querySelectorAll(".mq-picture text")].map(shown);
        for (const box of document.querySelectorAll(named.map((each) => `.mq-picture .of-${each}`).join()))
            if (!box.querySelector("text")) bare.add(`${stop}: ${box.dataset.part}`);
        least = Math.min(least, ...texts.map((each) => each.pixels));
        texts.forEach((a, i) => texts.slice(i + 1).forEach((b) => {
            const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
            if (!apart) over.add(`${stop}: ${a.words} / ${b.words}`);
        }));
    }
    return { least, bare: [...bare], over: [...over] };
}
