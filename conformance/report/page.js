"use strict";
// Draws the page from the results in #data: the JSON of --json, without what is empty.

const STATUSES = ["pass", "fail", "error", "crash", "timeout", "unsupported", "undefined", "skipped", "expected_fail", "unexpected_pass"];
const BAD = new Set(["fail", "error", "crash", "timeout", "unexpected_pass"]);
const PAGE = 60; // rows that are drawn at a time
const NOT_COMPARABLE = 65, ZERO = -1100; // as in error_profile.h

const data = JSON.parse(document.getElementById("data").textContent);
const words = (status) => status.replace("_", " ");
const byId = (id) => document.getElementById(id);

// ---- elements ----

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) if (child !== null && child !== undefined && child !== "") element.append(child);
  return element;
}
const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const s = (name, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
const statusMark = (status) => h("span", { class: "status " + status }, words(status));
const compact = (n) => {
  const step = n < 10000 ? 0 : Math.min(6, Math.floor(Math.log10(n) / 3));
  return step ? (n / 1000 ** step).toPrecision(3) + ["", "k", "M", "G", "T", "P", "E"][step] : String(n);
};

// ---- the results ----

data.results.forEach((result, index) => {
  result.index = index;
  result.shown = result.known ? "expected_fail" : result.unexpected_pass ? "unexpected_pass" : result.status;
  result.ops = result.ops || [];
  result.outputs = result.outputs || [];
  result.nodes = result.nodes || [];
  result.ulp = result.outputs.reduce((most, output) => Math.max(most, output.max_ulp || 0), 0);
  result.words = (result.test + " " + (result.message || "")).toLowerCase();
  result.id = "r" + index;
});
const backends = data.backends.map((backend) => backend.spelling);

// What a backend is called where there is little room: its spelling, or where that is long its name and what its options say.
const LONGEST = 30;
const shortName = (backend) => [backend.name || backend.spelling, ...Object.values(backend.options || {})].join(" ").slice(0, LONGEST);
const labels = new Map(data.backends.map((backend) => [backend.spelling,
  backend.spelling.length <= LONGEST ? backend.spelling : shortName(backend)]));
for (const spelling of backends) {
  const same = backends.filter((other) => labels.get(other) === labels.get(spelling));
  if (same.length > 1) same.forEach((other, i) => labels.set(other, `${labels.get(other)} (${i + 1})`));
}
const label = (spelling) => labels.get(spelling) || spelling;
const opsOf = (result) => result.ops.map((name, i) => ({ name, version: (result.op_versions || [])[i] || 0 }));

// ---- filters, order and what is open ----

const form = byId("filters");
const view = { version: 0, sort: "status", down: false, limit: PAGE, open: new Set() };
const rank = (result) => STATUSES.indexOf(result.shown) || STATUSES.length; // passes last
const ORDERS = {
  status: (a, b) => rank(a) - rank(b),
  test: (a, b) => (a.test < b.test ? -1 : a.test > b.test ? 1 : 0),
  backend: (a, b) => backends.indexOf(a.backend) - backends.indexOf(b.backend),
  ulp: (a, b) => a.ulp - b.ulp,
  time: (a, b) => (a.seconds || 0) - (b.seconds || 0),
};

function chosen() {
  const text = form.text.value.trim().toLowerCase(), { status, backend, op } = form;
  const rows = data.results.filter((r) =>
    (!text || r.words.includes(text)) && (!backend.value || r.backend === backend.value) &&
    (!status.value || (status.value === "bad" ? BAD.has(r.shown) : r.shown === status.value)) &&
    (!op.value || opsOf(r).some((o) => o.name === op.value && (!view.version || o.version === view.version)) ||
      r.nodes.some((n) => n.op === op.value && (!view.version || n.since_version === view.version))));
  const order = ORDERS[view.sort], sign = view.down ? -1 : 1;
  return rows.sort((a, b) => sign * order(a, b) || ORDERS.test(a, b) || a.index - b.index);
}

function setFilters(values) {
  for (const name of ["text", "status", "backend", "op"]) form[name].value = values[name] || "";
  view.version = values.version || 0;
  refresh();
  byId("results").scrollIntoView({ behavior: "smooth", block: "start" });
}

function refresh() {
  view.limit = PAGE;
  drawList();
}

// ---- backends ----

function summaryRow(backend) {
  const counts = data.summary[backend.spelling] || {};
  const total = STATUSES.reduce((sum, status) => sum + (counts[status] || 0), 0);
  const options = Object.entries(backend.options || {}).map(([key, value]) => key + "=" + value);
  const details = [backend.name !== backend.spelling ? backend.name : "", backend.version, backend.device, ...options].filter(Boolean);
  const bar = h("div", { class: "bar", role: "img", "aria-label": `${counts.pass || 0} of ${total} passed` },
    STATUSES.filter((status) => counts[status]).map((status) =>
      h("div", { style: `flex:${counts[status]};background:var(--${status === "expected_fail" ? "known" : status === "unexpected_pass" ? "fail" : status})`,
        title: `${counts[status]} ${words(status)}` })));
  return h("tr", {}, h("td", { class: "spelling" }, backend.spelling, h("span", { class: "note" }, details.join(" · ")),
    backend.failure ? h("span", { class: "note fail" }, backend.failure) : null),
  h("td", { class: "left" }, bar, h("span", { class: "note" }, total ? `${(100 * (counts.pass || 0) / total).toFixed(1)}% passed` : "no tests")),
  columns().map((status) => h("td", { class: "number" }, counts[status]
    ? h("button", { class: status, title: `show ${words(status)} of ${backend.spelling}`,
      onclick: () => setFilters({ status, backend: backend.spelling }) }, String(counts[status]))
    : h("span", { class: "zero" }, "0"))));
}

function columns() {
  return STATUSES.filter((status, i) => i < 2 || data.backends.some((b) => (data.summary[b.spelling] || {})[status]));
}

function drawSummary() {
  const tests = new Set(data.results.map((r) => r.test)).size;
  byId("about").textContent = `${tests} tests on ${backends.length} backend${backends.length === 1 ? "" : "s"} · onnx-verify ${data.version}`;
  byId("summary").append(h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "backend"), h("th", { class: "left" }, "results"),
    columns().map((status) => h("th", {}, words(status))))), h("tbody", {}, data.backends.map(summaryRow))));
}

// ---- the list of tests ----

function listRow(result) {
  const isOpen = view.open.has(result.index);
  const worst = result.outputs.length ? compact(result.ulp) : "";
  const row = h("tr", { class: "row" + (isOpen ? " open" : ""), id: result.id, "data-status": result.shown, onclick: (event) => {
    if (!event.target.closest("a,button") && !String(window.getSelection())) toggle(result);
  } },
  h("td", {}, statusMark(result.shown)),
  h("td", { class: "left name" }, h("button", { "aria-expanded": String(isOpen), "aria-controls": result.id + "d", class: "left opener",
    onclick: () => toggle(result) }, result.test), result.message && BAD.has(result.shown)
    ? h("span", { class: "note" }, result.message.length > 160 ? result.message.slice(0, 160) + "…" : result.message) : null),
  h("td", { class: "left optional", title: result.backend }, label(result.backend)),
  h("td", { class: "left optional" }, result.ops.slice(0, 3).join(", ") + (result.ops.length > 3 ? ` and ${result.ops.length - 3} more` : "")),
  h("td", { class: "number optional", title: "largest distance in ulp" }, worst),
  h("td", { class: "number optional" }, result.seconds ? result.seconds.toFixed(result.seconds < 0.1 ? 3 : 2) + " s" : ""));
  return isOpen ? [row, h("tr", { class: "detail", id: result.id + "d" }, h("td", { colspan: 6 }, h("div", {}, detail(result))))] : [row];
}

function toggle(result, focus = true) {
  if (!view.open.delete(result.index)) {
    view.open.add(result.index);
    history.replaceState(null, "", "#" + permalink(result));
  }
  const row = byId(result.id), old = byId(result.id + "d");
  if (old) old.remove();
  const fresh = listRow(result);
  row.replaceWith(...fresh);
  if (focus) fresh[0].querySelector(".opener").focus({ preventScroll: true });
}

function heading(key, title, className) {
  const sorted = view.sort === key;
  return h("th", { class: className, "aria-sort": sorted ? (view.down ? "descending" : "ascending") : undefined },
    h("button", { onclick: () => {
      view.down = sorted ? !view.down : key === "ulp" || key === "time";
      view.sort = key;
      refresh();
    } }, title));
}

function drawList() {
  const rows = chosen(), list = byId("list");
  list.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, heading("status", "status"), heading("test", "test", "left"),
    heading("backend", "backend", "left optional"), h("th", { class: "left optional" }, "operators"), heading("ulp", "worst ulp", "optional"),
    heading("time", "time", "optional"))), h("tbody", {}, rows.slice(0, view.limit).map(listRow))),
  rows.length ? "" : h("p", { class: "hint nothing" }, "No test fits."));
  if (rows.length > view.limit) {
    list.append(h("button", { class: "more", type: "button", onclick: () => {
      view.limit += 10 * PAGE;
      drawList();
    } }, `Show more of ${rows.length}`));
  }
  const what = view.version && form.op.value ? `, ${form.op.value}-${view.version}` : "";
  byId("shown").textContent = `${rows.length} of ${data.results.length}${what}`;
}

// ---- one test ----

const SPLIT = /^(.*) \((0x[0-9a-f]+(?:, 0x[0-9a-f]+)?)\)$/s;
function valueCells(text) {
  const parts = SPLIT.exec(text || "");
  return [h("td", { class: "left" }, h("code", {}, parts ? parts[1] : text || "")), h("td", { class: "left bits" }, parts ? parts[2] : "")];
}

function toleranceText(tolerance) {
  const { kind, ...rest } = tolerance || {};
  const numbers = Object.entries(rest).map(([key, value]) => `${key} ${value}`).join(", ");
  return (kind || "") + (numbers ? ": " + numbers : "");
}

function table(head, rows) {
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, head.map((title) => h("th", { class: "left" }, title)))), h("tbody", {}, rows)));
}

function outputPart(output, title = "output") {
  const shape = "[" + (output.shape || []).join(",") + "]";
  const numbers = [["bad elements", `${output.mismatched || 0} of ${output.elements || 0}`], ["max abs", output.max_abs || 0],
    ["max rel", output.max_rel || 0], ["max ulp", output.max_ulp || 0]];
  if (output.bound_ratio !== undefined) numbers.push(["error over bound", output.bound_ratio]);
  if (output.expected_ratio !== undefined) numbers.push(["over expected", output.expected_ratio]);
  for (const key of ["unspecified", "unproved", "loose"]) if (output[key]) numbers.push([key, output[key]]);
  const first = output.first_mismatch;
  return h("div", { class: "output" }, h("h3", {}, `${title} `, h("code", {}, output.name), ` ${output.dtype || ""}${shape}`,
    output.data_set ? `, data set ${output.data_set}` : ""),
  output.problem ? h("p", { class: "message" }, output.problem) : null,
  table(numbers.map(([name]) => name).concat("tolerance"), h("tr", {}, numbers.map(([, value]) => h("td", { class: "number left" },
    typeof value === "number" && !Number.isInteger(value) ? value.toPrecision(4) : String(value))), h("td", { class: "left" }, toleranceText(output.tolerance)))),
  first ? table(["first at [" + (first.index || []).join(",") + "]", "value", "bits"], [
    h("tr", {}, h("td", {}, "expected"), valueCells(first.expected)), h("tr", {}, h("td", {}, "got"), valueCells(first.actual))]) : null,
  output.ulp_counts && (output.mismatched || output.max_ulp) ? h("div", { class: "plots" },
    histogram("Elements by distance", [{ name: "", counts: output.ulp_counts }], 430, 170),
    ulpPlot(output.ulp_by_exponent || [])) : null);
}

function inputsPart(inputs) {
  if (!inputs || !inputs.length) return null;
  const count = (input) => ["zero", "subnormal", "infinite", "nan"].filter((key) => input[key]).map((key) => `${input[key]} ${key}`).join(", ");
  return [h("h3", {}, "its inputs"), table(["input", "type", "lowest", "highest", "nearest to zero", "beside"], inputs.map((input) => h("tr", {},
    h("td", {}, h("code", {}, input.name), input.constant ? " constant" : ""), h("td", { class: "left" }, `${input.type || ""}[${(input.shape || []).join(",")}]`),
    [input.minimum, input.maximum, input.smallest_magnitude].map((text) => {
      const parts = SPLIT.exec(text || "");
      return h("td", { class: "left" }, h("code", {}, parts ? parts[1] : text || ""), parts ? h("span", { class: "bits" }, " " + parts[2]) : null);
    }), h("td", { class: "left" }, count(input)))))];
}

const versioned = (place) => place.op + (place.since_version ? "-" + place.since_version : "");
const nodeId = (result, index) => `${result.id}n${index || 0}`;
function nodeLink(result, place) {
  return h("a", { href: "#" + nodeId(result, place.index), onclick: (event) => {
    event.preventDefault();
    const row = byId(nodeId(result, place.index));
    if (!row) return;
    row.scrollIntoView({ block: "center", behavior: "smooth" });
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
  } }, `${place.node} (${versioned(place)})`);
}

function nodesPart(result) {
  if (!result.nodes.length) return null;
  const good = result.nodes.filter((node) => node.status === "pass").length;
  const bad = result.nodes.filter((node) => node.status !== "pass");
  const holder = h("div", {});
  const draw = (nodes) => holder.replaceChildren(nodes.length ? table(["#", "node", "operator", "status", "alone: ulp", "in the model: ulp", ""],
    nodes.map((node) => nodeRow(result, node))) : "");
  draw(bad);
  return [h("h3", {}, "Nodes"), h("p", { class: "message" },
    result.first_divergence ? ["First divergence: ", nodeLink(result, result.first_divergence), ", alone and on the exact inputs. "]
      : result.status === "fail" ? "No node diverges alone: the error grows along the graph. " : "",
    result.first_in_model ? ["In the whole model the values leave the tolerance first at ", nodeLink(result, result.first_in_model), ". "] : null,
    `${good} of ${result.nodes.length} nodes agree alone. `,
    good ? h("button", { type: "button", style: "color:var(--accent)", onclick: (event) => {
      draw(result.nodes);
      event.target.remove();
    } }, "Show all nodes") : null), growthPlot(result), holder];
}

function nodeRow(result, node) {
  const worst = (outputs) => (outputs && outputs.length ? compact(outputs.reduce((m, o) => Math.max(m, o.max_ulp || 0), 0)) : "");
  const row = h("tr", { id: nodeId(result, node.index) }, h("td", { class: "number" }, String(node.index || 0)),
    h("td", { class: "left" }, h("code", {}, node.node), node.path ? h("span", { class: "note" }, node.path) : null),
    h("td", { class: "left" }, versioned(node)), h("td", { class: "left" }, statusMark(node.status)),
    h("td", { class: "number" }, worst(node.outputs)), h("td", { class: "number" }, worst(node.in_model)),
    h("td", { class: "left" }, node.outputs ? "" : node.message || ""));
  if (node.status === "pass") return [row];
  const failed = (node.outputs || []).filter((output) => output.mismatched || output.problem);
  return [row, h("tr", {}, h("td", {}), h("td", { colspan: 6, class: "left" }, failed.map((output) => outputPart(output)), inputsPart(node.inputs),
    node.extracted ? h("p", { class: "message" }, "written to ", h("code", {}, node.extracted)) : null))];
}

const shellWord = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'");
// A test directory says it all; a model alone would need its inputs.
function again(result) {
  return "onnx-verify suite " + shellWord(result.path) + (result.backend === "reference" ? "" : " --backend=" + shellWord(result.backend));
}

function detail(result) {
  const lines = [];
  if (result.message) lines.push(h("p", { class: "message" }, result.message));
  if (result.known) {
    const link = result.known.link || "";
    lines.push(h("p", { class: "message" }, "Known: ", result.known.reason || "", " ",
      /^https?:/.test(link) ? h("a", { href: link, rel: "noreferrer" }, link) : link));
  }
  if (result.erratum) lines.push(h("p", { class: "message" }, "Erratum: " + result.erratum));
  for (const warning of result.warnings || []) lines.push(h("p", { class: "message" }, "Warning: " + warning));
  for (const name of result.unstable || []) lines.push(h("p", { class: "message" }, `The bits of output ${name} change between runs.`));
  for (const input of result.generated_inputs || []) lines.push(h("p", { class: "message" }, "Generated input " + input));
  if (result.extracted) lines.push(h("p", { class: "message" }, "Written to ", h("code", {}, result.extracted)));
  lines.push(h("p", { class: "note" }, "Operators: ", opsOf(result).map((o) => versioned({ op: o.name, since_version: o.version })).join(", ") || "unknown",
    " · ", h("a", { href: "#" + permalink(result) }, "link")));
  if (/\.onnx$/.test(result.path || "")) lines.push(h("p", { class: "note" }, h("code", {}, result.path)));
  else if (result.path) lines.push(h("p", { class: "note" }, "Again: ", h("code", { class: "command" }, again(result))));
  return [lines, result.outputs.filter((o) => o.name !== undefined).map((output) => outputPart(output)), nodesPart(result)];
}

// ---- plots ----

const SERIES = 9; // colours
const paint = (k) => `var(--series-${Math.max(0, k) % SERIES})`;
const power = (exponent) => "2" + [...String(exponent)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("");
const bucketName = (k) => (k === 0 ? "0" : k === NOT_COMPARABLE ? "NaN" : k <= 2 ? ["", "1", "2–3"][k] : power(k - 1));
const bucketTitle = (name, n, k) => `${name ? name + ": " : ""}${n} elements ${k === NOT_COMPARABLE ? "not comparable" : bucketName(k) + " ulp off"}`;
const DISTANCE = "ulp from the exact value";

// The buckets that are filled, the last one that of what is not comparable.
function bucketsOf(series) {
  const most = Math.max(2, ...series.map((one) => one.counts.length));
  const last = Math.max(...series.map((one) => one.counts.reduce((at, n, k) => (n && k < NOT_COMPARABLE ? k : at), 1)));
  return [...Array(Math.max(last + 1, 6)).keys()].concat(most > NOT_COMPARABLE ? [NOT_COMPARABLE] : []);
}

function bucketLabels(buckets, left, w, y) {
  const every = Math.ceil(48 / w), crowded = buckets.includes(NOT_COMPARABLE) ? buckets.length - 1 - 40 / w : Infinity;
  return buckets.map((k, i) => (k === NOT_COMPARABLE || (i % every === 0 && i < crowded)
    ? s("text", { x: left + (i + 0.5) * w, y, "text-anchor": "middle" }, bucketName(k)) : null));
}

function histogram(title, series, width, height) {
  const buckets = bucketsOf(series);
  const top = Math.max(1, ...series.flatMap((one) => one.counts)), logTop = Math.log10(top) + 0.3;
  const left = 46, bottom = 34, w = (width - left - 6) / buckets.length, bar = (w - 2) / series.length;
  const y = (n) => 8 + (height - bottom - 8) * (1 - (n ? (Math.log10(n) + 0.25) / (logTop + 0.1) : 0));
  const parts = [];
  for (let p = 0; p <= Math.log10(top); p += Math.ceil(Math.log10(top) / 4) || 1) {
    parts.push(s("line", { class: "axis", x1: left, x2: width, y1: y(10 ** p), y2: y(10 ** p) }),
      s("text", { x: left - 6, y: y(10 ** p) + 4, "text-anchor": "end" }, compact(10 ** p)));
  }
  buckets.forEach((k, i) => {
    series.forEach((one, j) => {
      const n = one.counts[k] || 0;
      if (n) parts.push(s("rect", { x: left + i * w + 1 + j * bar, y: y(n), width: Math.max(bar, 1), height: height - bottom - y(n), style: `fill:${paint(one.color || 0)}` },
        s("title", {}, bucketTitle(one.name, n, k))));
    });
  });
  parts.push(bucketLabels(buckets, left, w, height - bottom + 14),
    s("text", { x: left + (width - left) / 2, y: height - 3, "text-anchor": "middle" }, DISTANCE));
  return h("figure", {}, h("figcaption", {}, title), series.length > 1 ? legend(series) : null,
    s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title }, parts.flat()));
}

// Many backends: a strip for each, one above the other, on one scale.
function strips(title, series, width) {
  const buckets = bucketsOf(series), strip = 46, left = 8, w = (width - left - 6) / buckets.length, height = series.length * strip + 36;
  const logTop = Math.log10(Math.max(1, ...series.flatMap((one) => one.counts))) + 0.3;
  const parts = series.flatMap((one, j) => {
    const ground = (j + 1) * strip;
    return [s("line", { class: "axis", x1: left, x2: width, y1: ground, y2: ground }),
      s("text", { x: width - 8, y: ground - strip + 16, "text-anchor": "end" }, one.name),
      ...buckets.map((k, i) => {
        const n = one.counts[k] || 0, tall = ((Math.log10(n || 1) + 0.3) / logTop) * (strip - 6);
        return n ? s("rect", { x: left + i * w + 0.5, y: ground - tall, width: Math.max(1, w - 1), height: tall, style: `fill:${paint(one.color)}` },
          s("title", {}, bucketTitle(one.name, n, k))) : null;
      })];
  });
  return h("figure", {}, h("figcaption", {}, title), s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title },
    parts, bucketLabels(buckets, left, w, height - 20),
    s("text", { x: left + (width - left) / 2, y: height - 4, "text-anchor": "middle" }, DISTANCE + "; heights are logarithms of counts")));
}

const legend = (series) => h("div", { class: "legend" }, series.map((one) => h("span", { style: `--mark:${paint(one.color)}` }, one.name)));

// The largest distance by the magnitude of the expected value.
function ulpPlot(points) {
  const finite = points.filter(([exponent]) => exponent !== ZERO);
  if (!finite.length) return null;
  const width = 430, height = 170, left = 46, bottom = 34;
  const low = finite[0][0] - 1, high = finite[finite.length - 1][0] + 1;
  const top = Math.max(1, ...finite.map(([, ulp]) => Math.log2(ulp + 1)));
  const x = (e) => left + ((e - low) / Math.max(1, high - low)) * (width - left - 10);
  const y = (ulp) => 8 + (height - bottom - 8) * (1 - Math.log2(ulp + 1) / top);
  const steps = [0, 0.5, 1].map((part) => Math.round(low + part * (high - low)));
  return h("figure", {}, h("figcaption", {}, "Largest distance by magnitude"), s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": "largest distance in ulp by the magnitude of the expected value" },
  [0, top / 2, top].map((value) => [s("line", { class: "axis", x1: left, x2: width, y1: y(2 ** value - 1), y2: y(2 ** value - 1) }),
    s("text", { x: left - 6, y: y(2 ** value - 1) + 4, "text-anchor": "end" }, value ? power(Math.round(value)) : "0")]),
  finite.map(([exponent, ulp]) => s("circle", { class: "shape", cx: x(exponent), cy: y(ulp), r: 3 }, s("title", {}, `${power(exponent)}: ${ulp} ulp`))),
  steps.map((e, i) => s("text", { x: x(e), y: height - bottom + 14, "text-anchor": ["start", "middle", "end"][i] }, power(e))),
  s("text", { x: left + (width - left) / 2, y: height - 3, "text-anchor": "middle" }, "magnitude of the expected value")));
}

// The error of the backend's own values along the graph, over the largest expected one.
function growthPlot(result) {
  const points = result.nodes.flatMap((node) => (node.in_model || []).map((output) => ({ node, output,
    error: !output.ulp_counts ? 0 : output.max_abs === "inf" ? Infinity : output.magnitude > 0 ? (output.max_abs || 0) / output.magnitude : 0 })));
  if (points.length < 2) return null;
  const width = 900, height = 190, left = 56, bottom = 32, floor = -9;
  const logs = points.map((p) => Math.max(floor, Math.min(3, Math.log10(p.error || 1e-30))));
  const top = Math.max(-2, ...logs);
  const x = (i) => left + (i / (points.length - 1)) * (width - left - 10);
  const y = (log) => 8 + (height - bottom - 8) * (1 - (log - floor) / (top - floor));
  const first = result.first_divergence ? result.first_divergence.index || 0 : -1;
  const ticks = [];
  for (let p = floor; p <= top; p += 3) ticks.push(s("line", { class: "axis", x1: left, x2: width, y1: y(p), y2: y(p) }),
    s("text", { x: left - 6, y: y(p) + 4, "text-anchor": "end" }, p === floor ? "≤1e" + p : "1e" + p));
  return h("figure", {}, h("figcaption", {}, "Error of its own values along the model"), s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": "error over the largest expected value, node by node" }, ticks,
  s("line", { class: "limit", x1: left, x2: width, y1: y(-3), y2: y(-3) }),
  // What is exact, integers for the most part, interrupts no line.
  s("path", { class: "path", d: logs.map((log, i) => [i, log]).filter(([, log]) => log > floor)
    .map(([i, log], k) => `${k ? "L" : "M"}${x(i).toFixed(1)} ${y(log).toFixed(1)}`).join("") }),
  points.map((p, i) => s("circle", { class: (p.node.index || 0) === first ? "broken" : "shape", cx: x(i), cy: y(logs[i]), r: (p.node.index || 0) === first ? 5 : 2.5 },
    s("title", {}, `${p.node.node} (${versioned(p.node)}), ${p.output.name}: ${p.error.toPrecision(3)}`))),
  s("text", { x: left + (width - left) / 2, y: height - 3, "text-anchor": "middle" }, "values in the order of evaluation; dashed: the tolerance of a model's outputs")));
}

function worstByOperator() {
  const worst = new Map();
  const note = (op, backend, ulp) => {
    if (!worst.has(op)) worst.set(op, new Map());
    worst.get(op).set(backend, Math.max(worst.get(op).get(backend) || 0, ulp));
  };
  for (const result of data.results) {
    if (result.ops.length === 1 && result.outputs.length) note(result.ops[0], result.backend, result.ulp);
    for (const node of result.nodes) for (const output of node.outputs || []) note(node.op, result.backend, output.max_ulp || 0);
  }
  const most = (entry) => Math.max(...entry[1].values());
  return [...worst].filter((entry) => most(entry) > 0).sort((a, b) => most(b) - most(a));
}

function operatorPlot() {
  const rows = worstByOperator().slice(0, 30);
  if (!rows.length) return null;
  const width = 540, left = 190, line = backends.length > 4 ? 25 : 17, height = rows.length * line + 40;
  const apart = Math.min(3, (line - 6) / Math.max(1, backends.length - 1)); // dots of one row
  const top = Math.max(4, ...rows.map((row) => Math.log2(1 + Math.max(...row[1].values()))));
  const x = (ulp) => left + (Math.log2(1 + ulp) / top) * (width - left - 16);
  return h("figure", { style: `width:calc(${width}px + 2rem)` }, h("figcaption", {}, "Largest distance by operator"), backends.length > 1 ? legend(backends.map((backend, color) => ({ name: label(backend), color }))) : null,
    s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "largest distance in ulp of each operator" },
      [0, 0.25, 0.5, 0.75, 1].map((part) => [s("line", { class: "axis", x1: x(2 ** (part * top) - 1), x2: x(2 ** (part * top) - 1), y1: 4, y2: height - 34 }),
        s("text", { x: x(2 ** (part * top) - 1), y: height - 20, "text-anchor": "middle" }, part ? power(Math.round(part * top)) : "0")]),
      rows.map(([op, values], i) => [s("text", { x: left - 8, y: line / 2 + 8 + i * line, "text-anchor": "end" }, op),
        [...values].map(([backend, ulp], k) => s("circle", { cx: x(ulp), cy: line / 2 + 4 + i * line + apart * (k - (values.size - 1) / 2), r: 3.5,
          style: `fill:${paint(backends.indexOf(backend))}` },
          s("title", {}, `${op} on ${label(backend)}: ${ulp} ulp`)))]),
      s("text", { x: left + (width - left) / 2, y: height - 4, "text-anchor": "middle" }, DISTANCE)));
}

function drawErrors() {
  const series = backends.map((backend, color) => ({ name: label(backend), color, counts: [] }));
  const add = (counts, output) => {
    if (!output.ulp_counts) counts[0] = (counts[0] || 0) + (output.elements || 0);
    else output.ulp_counts.forEach((n, k) => { counts[k] = (counts[k] || 0) + n; });
  };
  for (const result of data.results) {
    const counts = series[backends.indexOf(result.backend)];
    if (counts) for (const output of result.outputs) add(counts.counts, output);
  }
  const filled = series.filter((one) => one.counts.length);
  for (const one of filled) one.counts = Array.from(one.counts, (n) => n || 0);
  const place = byId("errors");
  const title = "Elements of all outputs by distance";
  if (filled.length) place.append(filled.length > 2 ? strips(title, filled, 620) : histogram(title, filled, 620, 300));
  const plot = operatorPlot();
  if (plot) place.append(plot);
  if (!place.childElementCount) place.append(h("p", { class: "hint" }, "No output was compared."));
}

// ---- operators by version, or by backend ----

// Rows by operator; columns are the versions on one backend, or ("") the backends.
function matrixOf(backend) {
  const cells = new Map();
  const note = (op, column, passed, counted) => {
    if (!cells.has(op)) cells.set(op, new Map());
    const row = cells.get(op);
    const cell = row.get(column) || { passed: 0, all: 0, other: 0 };
    if (counted) cell.all += 1; else cell.other += 1;
    cell.passed += passed;
    row.set(column, cell);
  };
  const counted = (status) => status === "pass" || BAD.has(status);
  for (const result of data.results) {
    if (backend && result.backend !== backend) continue;
    const column = (version) => (backend ? version : result.backend);
    const ops = opsOf(result);
    if (ops.length === 1) note(ops[0].name, column(ops[0].version), result.status === "pass", counted(result.status));
    for (const node of result.nodes) note(node.op, column(node.since_version || 0), node.status === "pass", counted(node.status));
  }
  return cells;
}

function drawMatrix(backend) {
  const cells = matrixOf(backend);
  const columns = backend ? [...new Set([...cells.values()].flatMap((row) => [...row.keys()]))].sort((a, b) => a - b) : backends;
  const columnTitle = (column) => (backend ? String(column || "?") : label(column));
  const cell = (op, column, found) => {
    if (!found) return h("td", {});
    const kind = !found.all ? "absent" : found.passed === found.all ? "all" : found.passed ? "some" : "none";
    const sign = { all: "✓", some: "◐", none: "✗", absent: "–" }[kind];
    const text = found.all ? `${found.passed}/${found.all}` : String(found.other);
    const where = backend ? { op, version: column, backend } : { op, backend: column };
    return h("td", {}, h("button", { class: "cell " + kind, title: `${op}${where.version ? "-" + where.version : ""} on ${where.backend}: ` +
      `${found.passed} of ${found.all} passed` + (found.other ? `, ${found.other} without a verdict` : ""), onclick: () => setFilters(where) }, `${sign} ${text}`));
  };
  const choices = backends.length > 1 ? [["", "all, side by side"], ...backends.map((name) => [name, label(name) + ", by version"])] : [];
  const picker = choices.length ? h("label", { class: "picker" }, "Backend", h("select", { onchange: (event) => drawMatrix(event.target.value) },
    choices.map(([value, text]) => h("option", { value, selected: value === backend }, text)))) : null;
  byId("matrix").replaceChildren(...[picker, cells.size ? h("div", { class: "grid", tabindex: 0, role: "region", "aria-label": "operators" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}, "operator"), columns.map((column) => h("th", {}, columnTitle(column))))),
    h("tbody", {}, [...cells].sort().map(([op, row]) => h("tr", {}, h("th", { scope: "row" }, op), columns.map((column) => cell(op, column, row.get(column)))))))) :
    h("p", { class: "hint" }, "No test is of one operator alone.")].filter(Boolean));
}

// ---- links, keys, start ----

function permalink(result) {
  return "test=" + encodeURIComponent(result.test) + "&backend=" + encodeURIComponent(result.backend);
}

function followHash() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const result = data.results.find((r) => r.test === wanted.get("test") && (!wanted.get("backend") || r.backend === wanted.get("backend")));
  if (!result) return;
  if (!byId(result.id)) {
    form.reset();
    form.text.value = result.test;
    refresh();
  }
  if (!view.open.has(result.index)) toggle(result, false);
  byId(result.id).scrollIntoView({ block: "start" });
}

function startFilters() {
  const option = (value, text = value) => h("option", { value }, text);
  const present = STATUSES.filter((status) => data.results.some((r) => r.shown === status));
  form.status.append(option("", "any"), option("bad", "anything bad"), ...present.map((status) => option(status, words(status))));
  form.backend.append(option("", "any"), ...backends.map((name) => option(name, label(name))));
  const ops = [...new Set(data.results.flatMap((r) => [...r.ops, ...r.nodes.map((n) => n.op)]))].sort();
  form.op.append(option("", "any"), ...ops.map((name) => option(name)));
  form.addEventListener("input", () => {
    view.version = 0;
    refresh();
  });
  form.addEventListener("reset", () => setTimeout(() => {
    view.version = 0;
    refresh();
  }));
  form.addEventListener("submit", (event) => event.preventDefault());
}

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (event.key === "/" && !typing) {
    event.preventDefault();
    form.text.focus();
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && document.activeElement.classList.contains("opener")) {
    const all = [...document.querySelectorAll(".opener")];
    const next = all[all.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) {
      event.preventDefault();
      next.focus();
    }
  }
});

drawSummary();
startFilters();
drawList();
if (backends.length) drawMatrix(backends.length > 1 ? "" : backends[0]);
drawErrors();
window.addEventListener("hashchange", followHash);
followHash();
