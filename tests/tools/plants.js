export const troubled = (row) => row.detail.includes("died"); // JSON in a script
const call = title.match(/panel/); // title
