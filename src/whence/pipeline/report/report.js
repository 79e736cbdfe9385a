"use strict";
(() => {
  const list = document.getElementById("list");
  const filters = document.getElementById("filters");
  if (!list || !filters) return;
  const get = (id) => document.getElementById(id);
  const names = filters.dataset.outcomes.split(" ");
  const lower = JSON.parse(filters.dataset.lower);
  const items = [...list.children].map((node) => ({
    node,
    badge: node.querySelector(".outcome"),
    outcomes: node.dataset.outcomes.split(" "),
    values: (node.dataset.values || "").split(" ").map((text) => (text && text !== "-" ? Number(text) : null)),
    text: null,
  }));
  let order = items;
  let wanted = "all";
  const judge = () => Number(get("judge") ? get("judge").value : filters.dataset.chosen);
  const outcome = (item) => item.outcomes[judge()];

  const choices = () => {
    const counts = { all: items.length };
    for (const item of items) counts[outcome(item)] = (counts[outcome(item)] || 0) + 1;
    if (!counts[wanted]) wanted = "all";
    const labels = ["all", ...names].filter((name) => name === "all" || counts[name]).map((name) => {
      const radio = Object.assign(document.createElement("input"), { type: "radio", name: "outcome", value: name });
      radio.checked = name === wanted;
      const label = document.createElement("label");
      label.append(radio, ` ${name} `, Object.assign(document.createElement("b"), { textContent: counts[name] }));
      return label;
    });
    get("outcomes").replaceChildren(...labels);
    for (const item of items) {
      item.badge.textContent = outcome(item);
      item.badge.className = `outcome ${outcome(item)}`;
    }
  };

  const show = () => {
    const words = get("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const item of items) {
      if (words.length && item.text === null) item.text = item.node.textContent.toLowerCase();
      const fits = (wanted === "all" || outcome(item) === wanted) && words.every((word) => item.text.includes(word));
      item.node.hidden = !fits;
      count += fits;
    }
    get("shown").textContent = `${count} of ${items.length} shown`;
  };

  const sort = () => {
    const chosen = get("sort").value;
    order = [...items];
    if (chosen !== "") {
      const place = Number(chosen);
      const sign = (get("direction").value === "worst") === lower[place] ? -1 : 1;
      const known = (item) => item.values[place] !== null;
      order.sort((a, b) => (known(a) && known(b) ? sign * (a.values[place] - b.values[place]) : known(b) - known(a)));
    }
    get("direction").disabled = chosen === "";
    list.append(...order.map((item) => item.node));
  };

  const go = (step) => {
    const shown = order.filter((item) => !item.node.hidden).map((item) => item.node);
    const here = document.activeElement.closest(".item") || list.querySelector(".item[open]");
    const place = here ? shown.indexOf(here) + step : 0;
    const next = shown[place];
    if (!next) return;
    if (here) here.open = false;
    next.open = true;
    next.querySelector("summary").focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
  };

  const follow = () => {
    const target = /^#item-\d+$/.test(location.hash) && document.querySelector(location.hash);
    if (!target) return;
    target.open = true;
    target.scrollIntoView();
  };

  get("outcomes").addEventListener("change", (event) => { wanted = event.target.value; show(); });
  if (get("judge")) get("judge").addEventListener("change", () => { choices(); show(); });
  get("sort").addEventListener("change", sort);
  get("direction").addEventListener("change", sort);
  get("search").addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "j") go(1);
    if (event.key === "k") go(-1);
  });
  addEventListener("hashchange", follow);
  filters.hidden = false;
  choices();
  sort();
  show();
  follow();
})();
