// What moves on the page. Without it every form and link works all the same.
"use strict";

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const toast = document.getElementById("toast");

// Live: the server sends the part that changes, escaped as the page itself is.
const live = document.getElementById("live");
if (live?.dataset.stream) {
  const stream = new EventSource(live.dataset.stream);
  stream.onmessage = (event) => {
    const log = live.querySelector(".log")?.scrollTop ?? 0;
    const focused = document.activeElement?.closest?.("#live form")?.getAttribute("action");
    live.innerHTML = event.data;
    const next = live.querySelector(".log");
    if (next) next.scrollTop = log;
    if (focused) live.querySelector(`form[action="${CSS.escape(focused)}"] button`)?.focus();
  };
  stream.addEventListener("over", () => {
    stream.close();
    location.reload();
  });
}

// A word about a passage: its effect is shown at once, and can be taken back.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-judge]")) return;
  event.preventDefault();
  const values = new URLSearchParams(new FormData(form, event.submitter));
  const answer = await fetch(form.action, { method: "POST", body: values, headers: { "X-Part": "1" } });
  if (!answer.ok) {
    form.submit();
    return;
  }
  const told = await answer.text();
  await renew(form);
  toast.innerHTML = told;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => toast.replaceChildren(), 20000);
});

// Brings the findings as they are now, and leaves open what was open.
async function renew(form) {
  const main = document.getElementById("main");
  const open = new Set(all("details[open][id]", main).map((it) => it.id));
  const closed = new Set(all("details[id]:not([open])", main).map((it) => it.id));
  const at = form.closest("[data-item]")?.id;
  const place = scrollY;
  const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  main.replaceChildren(...fresh.getElementById("main").childNodes);
  for (const it of all("details[id]", main)) {
    if (open.has(it.id)) it.open = true;
    if (closed.has(it.id)) it.open = false;
  }
  prepare(main);
  scrollTo(0, place);
  if (at) document.getElementById(at)?.focus({ preventScroll: true });
}

// j k move, Enter opens, s r n say right, wrong, not about this.
const shown = () => all("[data-item]").filter((it) => it.offsetParent !== null);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  const item = document.activeElement?.closest("[data-item]");
  if (event.key === "j" || event.key === "k") {
    const items = shown();
    const at = items.indexOf(item);
    const next = items[event.key === "j" ? at + 1 : Math.max(at, 1) - 1];
    (next?.matches("details") ? next.querySelector("summary") : next)?.focus();
    next?.scrollIntoView({ block: "nearest" });
  } else if ("srn".includes(event.key) && item?.matches(".passage")) {
    item.querySelector(`.judge button.${event.key}`)?.click();
  } else return;
  event.preventDefault();
});

// Tables: a heading sorts, a field filters.
const cell = (row, at) => row.cells[at].dataset.value ?? row.cells[at].textContent.trim();
function prepare(within) {
  for (const table of all("table[data-sortable]", within)) {
    all("th", table).forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.onclick = () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        all("th", table).forEach((it) => it.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const order = new Intl.Collator(document.documentElement.lang, { numeric: true }).compare;
        const rows = [...table.tBodies[0].rows].sort((a, b) => order(cell(a, at), cell(b, at)) * (up ? 1 : -1));
        table.tBodies[0].append(...rows);
      };
    });
  }
  for (const field of all("[data-filter]", within)) {
    field.oninput = () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const row of document.getElementById(field.dataset.filter).tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((it) => text.includes(it));
      }
    };
  }
  for (const graph of all("[data-graph]", within)) point(graph);
  const lock = within.querySelector("[data-lock]");
  if (lock) {
    const keep = () => all("[data-online]").forEach((it) => (it.disabled = lock.checked));
    lock.addEventListener("change", keep);
    keep();
  }
  if (location.hash) {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const finding = target?.closest("details");
    if (finding && !finding.open) {
      finding.open = true;
      target.scrollIntoView();
    }
  }
}

// The graph: what belongs to what is pointed at.
function point(graph) {
  const nodes = new Map(all("[data-node]", graph).map((it) => [it.dataset.node, it]));
  const lines = new Map();
  for (const line of all("path[data-a]", graph)) {
    for (const end of [line.dataset.a, line.dataset.b]) {
      if (!lines.has(end)) lines.set(end, []);
      lines.get(end).push(line);
    }
  }
  // What is lit is drawn on a sheet of its own: thousands of lines below need not be painted again.
  const sheet = graph.cloneNode(false);
  for (const name of ["role", "aria-label", "data-graph"]) sheet.removeAttribute(name);
  sheet.setAttribute("aria-hidden", "true");
  sheet.classList.add("sheet");
  graph.after(sheet);
  const clear = () => {
    graph.classList.remove("pointed");
    sheet.replaceChildren();
  };
  const copy = (it) => {
    const copied = it.cloneNode(true);
    for (const name of ["href", "data-node", "data-a", "data-b"]) copied.removeAttribute(name);
    return copied;
  };
  const light = (node) => {
    const own = lines.get(node.dataset.node) ?? [];
    const ends = new Set([node, ...own.flatMap((it) => [nodes.get(it.dataset.a), nodes.get(it.dataset.b)])]);
    graph.classList.add("pointed");
    sheet.replaceChildren(...own.map(copy), ...[...ends].filter(Boolean).map(copy));
  };
  for (const [over, out] of [["pointerover", "pointerleave"], ["focusin", "focusout"]]) {
    graph.addEventListener(over, (event) => {
      const node = event.target.closest("[data-node]");
      if (node) light(node);
    });
    graph.addEventListener(out, clear);
  }
}

prepare(document);
document.documentElement.classList.add("ready");
