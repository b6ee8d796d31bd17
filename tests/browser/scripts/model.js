window.sent = [];
window.model = { values: {}, heard: {},
  get(name) { return this.values[name]; },
  set(name, value) { this.values[name] = value; window.sent.push([name, value]); },
  save_changes() {},
  on(name, act) { (this.heard[name] ??= []).push(act); },
  off(name, act) { this.heard[name] = (this.heard[name] ?? []).filter((a) => a !== act); },
  async change(name, value) {
    this.values[name] = value;
    for (const act of this.heard["change:" + name] ?? []) await act();
  } };
window.nothing = new DataView(new ArrayBuffer(0));
window.bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
