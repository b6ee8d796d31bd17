async () => {
    const errors = [];
    await jupyterapp.commands.execute("notebook:run-all-cells");
    for (const cell of panel.content.model.cells) {
        if (cell.type === "code" && !cell.executionCount && cell.sharedModel.source) errors.push("not run");
        for (const out of cell.type === "code" ? cell.outputs.toJSON() : [])
            if (out.output_type === "error") errors.push(`${out.ename}: ${out.evalue}`);
    }
    return errors;
}
