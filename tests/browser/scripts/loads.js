async () => {
    const python = await (await import('./pyodide.mjs')).loadPyodide()
    python.unpackArchive(await (await fetch('simulator.zip')).arrayBuffer(), 'zip')
    globalThis.python = python
    return python.version
}
