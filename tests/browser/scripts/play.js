async ([part, ...steps]) => {
    const soon = async (holds) => {
        for (let tries = 0; tries < 600; tries++) {
            const found = holds();
            if (found) return found;
            await new Promise(done => setTimeout(done, 100));
        }
    };
    await jupyterapp.commands.execute("notebook:run-all-cells");
    const { content } = panel;
    for (let n = 0; n < content.widgets.length && !document.querySelector(`.jp-OutputArea ${part} button`); n++) {
        await content.scrollToItem(n);
        await new Promise(done => setTimeout(done, 300));
    }
    const root = document.querySelector(`.jp-OutputArea ${part}`);
    if (!root) return `no ${part}`;
    for (const [what, where, words] of steps) {
        const place = await soon(() => what === "press"
            ? [...root.querySelectorAll("button")].find((each) => each.textContent.trim() === where && !each.disabled)
            : root.querySelector(where));
        if (!place) return `no ${where} to ${what}`;
        if (what === "fill") {
            place.value = words;
            place.dispatchEvent(new Event("input", { bubbles: true }));
            place.dispatchEvent(new Event("change", { bubbles: true }));
        } else {
            place.click();
            if (words && !await soon(() => root.textContent.includes(words))) return `${where} does not say ${words}`;
        }
    }
    return "";
}
