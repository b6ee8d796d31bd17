() => {
    const part = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const light = (color) => color.match(/[\d.]+/g).slice(0, 3).map((v) => part(v / 255))
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = (each) => getComputedStyle(each)[each instanceof SVGElement ? "fill" : "backgroundColor"];
    const filled = (each) => !each.closest("text, svg:not(.mq-picture svg)") && /^rgb\(/.test(ground(each));
    return [...document.querySelectorAll(".mq-picture text")].flatMap((text) => {
        const { left, top, width, height } = text.getBoundingClientRect();
        const stack = document.elementsFromPoint(left + width / 2, top + height / 2);
        const under = stack.find((each) => each.tagName !== "svg" && filled(each));
        if (!under || !stack[0].closest(".mq-picture")) return []; // it is out of sight
        const both = [light(getComputedStyle(text).fill), light(ground(under))].sort((a, b) => a - b);
        const ratio = (both[1] + 0.05) / (both[0] + 0.05);
        return ratio < 4.5 ? [`${text.textContent}: ${ratio.toFixed(1)}`] : [];
    });
}
