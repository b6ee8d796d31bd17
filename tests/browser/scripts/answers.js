async code => {
    const asked = panel.sessionContext.session.kernel.requestExecute({ code });
    let said = "";
    asked.onIOPub = ({ content: { text, ename, evalue, data } }) => {
        said += text ?? (ename && `${ename}: ${evalue}`) ?? data?.["text/plain"] ?? "";
    };
    const late = new Promise((done) => setTimeout(done, 60_000, "late"));
    return await Promise.race([asked.done, late]) === "late" ? `Error: no answer to ${code}` : said;
}
