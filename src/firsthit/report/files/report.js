"use strict";
// Filters, sorts and pages the tables of queries. Without it every row is there all the same.
(() => {
  const PAGE = 25;
  const PRINTED = 200;

  function element(name, words, classes) {
    const made = document.createElement(name);
    made.textContent = words;
    made.className = classes || "";
    return made;
  }

  // Text to take away, in a dialog: selected, so that it can be copied whatever the browser allows a file.
  function offer(title, words, hint) {
    const dialog = element("dialog", "");
    const text = element("textarea", words);
    const [copy, close] = [element("button", "Copy"), element("button", "Close")];
    text.readOnly = true;
    text.rows = Math.min(12, 2 + words.length / 60);
    text.setAttribute("aria-label", title);
    copy.addEventListener("click", () => {
      text.select();
      copy.textContent = document.execCommand("copy") ? "Copied" : "Select and copy";
    });
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    const bar = element("p", "", "bar");
    bar.append(copy, close);
    dialog.append(element("h3", title), element("p", hint, "soft"), text, bar);
    document.body.append(dialog);
    dialog.showModal();
    text.select();
  }

  function idOf(row) {
    const shown = row.querySelector(".id");
    return shown.dataset.id || shown.textContent;
  }

  const quoted = (id) => (/^[\w@%+=:,./-]+$/.test(id) ? id : `'${id.replaceAll("'", `'"'"'`)}'`);

  function setUp(box) {
    const table = box.querySelector("table");
    const body = table.tBodies[0];
    const rows = [...box.querySelectorAll("tbody > tr")];
    const folded = [...box.querySelectorAll(".more-rows")];
    const state = { attribute: "", value: "", group: "", words: "", page: 0, column: -1, down: true };
    const find = (selector) => box.querySelector(selector);
    const [before, after, where] = [".before", ".after", ".where"].map(find);
    let shown = rows;

    function fits(row) {
      if (state.attribute && row.dataset[state.attribute] !== state.value) return false;
      if (state.group && !(row.dataset.g || "").split("\u001f").includes(state.group)) return false;
      return !state.words || row.textContent.toLowerCase().includes(state.words);
    }

    function key(row) {
      const cell = row.cells[state.column];
      return cell.dataset.v === undefined ? cell.textContent.trim() : Number(cell.dataset.v);
    }

    function ordered(chosen) {
      if (state.column < 0) return chosen;
      const keyed = chosen.map((row) => [key(row), row]);
      const sign = state.down ? -1 : 1;
      keyed.sort(([a], [b]) => sign * (typeof a === "number" ? a - b : a.localeCompare(b)));
      return keyed.map(([, row]) => row);
    }

    function show(page) {
      const last = Math.max(0, Math.ceil(shown.length / PAGE) - 1);
      state.page = Math.min(Math.max(0, page), last);
      const start = state.page * PAGE;
      body.replaceChildren(...shown.slice(start, start + PAGE));
      const end = Math.min(start + PAGE, shown.length);
      const [first, to, all] = [start + 1, end, shown.length].map((number) => number.toLocaleString("en"));
      where.textContent = shown.length ? `${first}–${to} of ${all}` : "no query fits";
      before.disabled = state.page === 0;
      after.disabled = state.page === last;
    }

    function update() {
      shown = ordered(rows.filter(fits));
      show(0);
    }

    function choose(kind) {
      const button = find(`button[data-kind="${kind}"]`);
      if (!button) return;
      state.attribute = button.dataset.attribute || "";
      state.value = button.dataset.value;
      for (const one of box.querySelectorAll("button[data-kind]")) {
        one.setAttribute("aria-pressed", String(one === button));
      }
      update();
    }

    function sortBy(heading) {
      state.down = state.column === heading.cellIndex ? !state.down : heading.classList.contains("n");
      state.column = heading.cellIndex;
      for (const one of table.tHead.rows[0].cells) one.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      update();
    }

    function toggle(row) {
      const next = row.nextElementSibling;
      if (next && next.classList.contains("open")) {
        next.remove();
        return;
      }
      const detail = document.getElementById(row.dataset.detail || "");
      if (!detail) return;
      const opened = document.createElement("tr");
      const cell = document.createElement("td");
      opened.className = "open";
      cell.colSpan = row.cells.length;
      cell.append(detail.querySelector(".body").cloneNode(true));
      opened.append(cell);
      row.after(opened);
    }

    function judge(row) {
      if (!row || !box.dataset.judge) return;
      const words = `${box.dataset.judge}${quoted(idOf(row))}`;
      offer(`Judge ${idOf(row)}`, words, "Lists its documents to judge. Run it where the labels and runs are.");
    }

    const active = () => document.activeElement.closest("tr:not(.open)");

    function step(by) {
      const here = document.activeElement && document.activeElement.closest("tr");
      const all = [...body.rows].filter((row) => !row.classList.contains("open"));
      const place = all.indexOf(here);
      const next = all[place < 0 ? 0 : Math.min(Math.max(0, place + by), all.length - 1)];
      if (next) next.focus();
    }

    for (const row of rows) row.tabIndex = -1;
    for (const one of folded) one.remove();
    for (const heading of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...heading.childNodes);
      button.addEventListener("click", () => sortBy(heading));
      heading.append(button);
    }
    for (const button of box.querySelectorAll("button[data-kind]")) {
      button.addEventListener("click", () => choose(button.dataset.kind));
    }
    find("input").addEventListener("input", (event) => {
      state.words = event.target.value.trim().toLowerCase();
      update();
    });
    const group = find("select");
    if (group) {
      group.addEventListener("change", () => {
        state.group = group.value;
        update();
      });
    }
    body.addEventListener("click", (event) => {
      const [pressed, opened] = ["button", "tr.open"].map((one) => event.target.closest(one));
      if (pressed && opened) {
        const row = opened.previousElementSibling;
        if (pressed.dataset.copy === undefined) judge(row);
        else offer(`Fixture of ${idOf(row)}`, pressed.dataset.copy, "Labels and both rankings, for a test.");
        return;
      }
      const row = event.target.closest("tr[data-detail]");
      if (!row || String(getSelection())) return;
      event.preventDefault();
      toggle(row);
    });
    before.addEventListener("click", () => show(state.page - 1));
    after.addEventListener("click", () => show(state.page + 1));
    for (const hidden of box.querySelectorAll("[hidden]")) hidden.hidden = false;
    box.actions = {
      j: () => step(1),
      k: () => step(-1),
      r: () => choose("worse"),
      i: () => choose("better"),
      u: () => choose("disputed"),
      a: () => choose("all"),
      Enter: () => {
        const row = document.activeElement.closest("tr[data-detail]");
        if (row) toggle(row);
      },
      l: () => judge(active()),
    };
    addEventListener("beforeprint", () => body.replaceChildren(...shown.slice(0, PRINTED)));
    addEventListener("afterprint", () => show(state.page));
    update();
  }

  for (const hidden of document.querySelectorAll(".body [hidden]")) hidden.hidden = false;
  const boxes = [...document.querySelectorAll("[data-queries]")];
  boxes.forEach(setUp);

  for (const details of document.querySelectorAll("[data-details]")) details.hidden = true;

  addEventListener("keydown", (event) => {
    const typing = event.target.closest && event.target.closest("input, select, textarea, button, a, summary");
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing) return;
    if (document.querySelector("dialog")) return;
    const box = boxes.find((one) => one.contains(document.activeElement)) || boxes[0];
    const act = box && box.actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
})();
