// What the games share: a clock, and cards for messages.
const clock = (seconds) => `09:${String(Math.floor(seconds / 60) % 60).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
const still = () => matchMedia("(prefers-reduced-motion:reduce)").matches;
// A rule: its id and title, and its text when it is opened. `unmet`: its condition was not met.
const ruled = (rule, unmet = false) => rule ? h("details", { class: "rule" }, h("summary", {}, unmet ? `${rule[0]} was not met: ${rule[1]}` : `${rule[0]} ${rule[1]}`), h("p", {}, rule[2])) : "";
