// Makes blocks of a text that a tool answered and that is JSON: a table, a list or pairs, as
// the conversation has them.

const most = { text: 256 * 1024, nesting: 6, fields: 40, rows: 20, columns: 6, name: 60, cell: 1024 };

// textBlocks is a text as blocks. What is deep, large, or has a name twice, of which one
// would be lost, stays text, and so does what says nothing.
export function textBlocks(text) {
  const value = read(text.trim());
  return (value === undefined ? undefined : blocksOf(value)) ?? [{ type: "text", content: text, format: "plain" }];
}

function read(text) {
  if (!/^[{[]/.test(text) || text.length > most.text) return undefined;
  let names = 0;
  try {
    const value = JSON.parse(text, function (name, inner) {
      if (!Array.isArray(this)) names++;
      return inner;
    });
    const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter((m) => m[1]).length;
    return nesting(value) <= most.nesting && names - 1 === written ? value : undefined; // the whole has a name, too
  } catch {
    return undefined;
  }
}

function nesting(value) {
  if (!compound(value)) return 0;
  return 1 + Object.values(value).reduce((deepest, inner) => Math.max(deepest, nesting(inner)), 0);
}

const compound = (value) => value !== null && typeof value === "object";
const isObject = (value) => compound(value) && !Array.isArray(value);
const isRows = (value) => Array.isArray(value) && value.length > 0 && value.every(isObject);
const several = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

function blocksOf(value) {
  if (isRows(value)) return table("", value);
  if (Array.isArray(value)) return value.length ? [{ type: "list", style: "unordered", items: bounded(value) }] : undefined;
  const names = Object.keys(value); // in the order of their author
  if (!names.length) return undefined;
  const pairs = [];
  const tables = [];
  for (const name of names.slice(0, most.fields)) {
    if (isRows(value[name])) tables.push(...table(label(name), value[name]));
    else pairs.push({ key: label(name), value: cell(value[name]) });
  }
  const more = names.length - most.fields;
  if (more > 0) pairs.push({ key: "…", value: several(more, "field") + " more" });
  return pairs.length ? [{ type: "keyvalue", pairs }, ...tables] : tables;
}

function table(name, rows) {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const columns = all.slice(0, most.columns);
  const left = [];
  if (all.length > columns.length) left.push(several(all.length - columns.length, "column"));
  if (rows.length > most.rows) left.push(several(rows.length - most.rows, "row"));
  return [
    ...(name ? [{ type: "header", content: name, level: 3 }] : []),
    { type: "table", headers: columns.map(label), rows: rows.slice(0, most.rows).map((row) => columns.map((c) => (Object.hasOwn(row, c) ? cell(row[c]) : ""))) },
    ...(left.length ? [{ type: "text", content: `There is more than is shown: ${left.join(" and ")}.`, format: "plain" }] : []),
  ];
}

const label = (name) => line(name.replaceAll("_", " "), most.name);

function bounded(values) {
  const shown = values.slice(0, most.rows).map(cell);
  return values.length > most.rows ? [...shown, `and ${values.length - most.rows} more`] : shown;
}

function cell(value) {
  if (value === null) return "nothing";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!compound(value)) return line(String(value), most.cell);
  const parts = Array.isArray(value) ? bounded(value) : Object.keys(value).slice(0, most.fields).map((name) => `${label(name)}: ${cell(value[name])}`);
  return parts.length ? line(parts.join(", "), most.cell) : "nothing";
}

function line(text, bound) {
  const all = text.replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim().split(/\s+/).join(" ");
  return all.length > bound ? all.slice(0, bound - 1).trimEnd() + "…" : all;
}
