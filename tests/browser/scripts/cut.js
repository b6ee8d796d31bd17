async () => {
    const soon = async (find) => {
        for (let tries = 0; tries < 600; tries++) {
            const found = find();
            if (found) return found;
            await new Promise((done) => setTimeout(done, 100));
        }
        throw Error(`not there: ${find}`);
    };
    const all = (part) => [...document.querySelectorAll(part)];
    document.querySelector('a[data-name="channel-retrying"]').click();
    (await soon(() => all(".mq-whatif")[0])).click();
    (await soon(() => all(".mq-try button").find((each) => each.textContent === "cut"))).click();
    return soon(() => all(".mq-said").map((each) => each.textContent).find((words) => words.includes("was cut")));
}
