async () => {
    const asked = [], send = engine.postMessage;
    engine.postMessage = (question) => asked.push(question);
    document.querySelector('a[data-name="channel-retrying"]').click();
    while (!asked.length) await new Promise((done) => setTimeout(done, 20));
    const { inert } = document.querySelector(".mq-try").lastChild;
    engine.postMessage = send;
    for (const question of asked) engine.postMessage(question);
    return inert;
}
