async (moves) => {
    const frames = [];
    let before = await new Promise(requestAnimationFrame);
    for (let i = 0; i < 120; i++) {
        if (moves) player.canvas.pan(i % 60 < 30 ? 6 : -6, i % 40 < 20 ? 4 : -4);
        const now = await new Promise(requestAnimationFrame);
        frames.push(now - before);
        before = now;
    }
    return frames;
}
