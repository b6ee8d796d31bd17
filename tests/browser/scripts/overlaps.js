() => {
    const found = [], box = (name) => document.querySelector(`#player .mq-${name}`).getBoundingClientRect();
    for (let step = 0; step < player.recording.length; step++) {
        player.go(step);
        const keys = box("hint");
        for (const name of ["shot", "text", "said", "rule", "onward"]) {
            const { left, right, top, bottom } = box(name), empty = right === left || bottom === top;
            const across = left < keys.right && keys.left < right, along = top < keys.bottom && keys.top < bottom;
            if (!empty && across && along) found.push(`${name} at step ${step}`);
        }
    }
    return found;
}
