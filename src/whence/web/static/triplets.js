// Spans by mouse or keyboard: words of a turn are marked, and taken as the head or the tail of the row one is in.
const dialogue = document.querySelector("[data-dialogue]");
const list = document.querySelector("ol.triplets");

if (dialogue && list) {
  const turns = [...dialogue.querySelectorAll("[data-turn]")];
  let mark = null; // { turn, first, last } in words

  for (const turn of turns) {
    const text = turn.textContent;
    turn.textContent = "";
    turn.tabIndex = 0;
    turn.setAttribute("role", "group");
    turn.setAttribute("aria-label", `turn ${Number(turn.dataset.turn) + 1}: arrow keys choose words`);
    for (const match of text.matchAll(/\S+|\s+/g)) {
      const piece = document.createElement("span");
      piece.textContent = match[0];
      if (match[0].trim()) {
        piece.dataset.word = match.index;
      }
      turn.append(piece);
    }
  }
  const words = (turn) => [...turn.querySelectorAll("[data-word]")];

  const told = document.querySelector("[data-marked]");

  const show = () => {
    dialogue.querySelectorAll(".marked").forEach((word) => word.classList.remove("marked"));
    told.textContent = marked()?.text ?? "nothing marked";
    told.classList.toggle("none", !mark);
    if (!mark) return;
    const own = words(mark.turn);
    const [first, last] = [Math.min(mark.first, mark.last), Math.max(mark.first, mark.last)];
    own.slice(first, last + 1).forEach((word) => word.classList.add("marked"));
  };

  const marked = () => {
    if (!mark) return null;
    const own = words(mark.turn);
    const [first, last] = [Math.min(mark.first, mark.last), Math.max(mark.first, mark.last)];
    const start = Number(own[first].dataset.word);
    const end = Number(own[last].dataset.word) + own[last].textContent.length;
    const text = mark.turn.textContent.slice(start, end).replace(/[.,!?;:]+$/, "");
    return { turn: mark.turn.dataset.turn, start, text };
  };

  const row = () => {
    const here = document.activeElement?.closest("ol.triplets > li");
    if (here) return here;
    const rows = [...list.children];
    return rows.find((one) => !one.querySelector("[name$=':tail:text']").value || !one.querySelector("[name$=':head:text']").value) ?? rows.at(-1);
  };

  const take = (side) => {
    const found = marked();
    if (!found) return;
    const target = row();
    const field = (part) => target.querySelector(`[name$=':${side}:${part}']`);
    field("text").value = found.text;
    field("turn").value = found.turn;
    field("start").value = found.start;
    field("text").dispatchEvent(new Event("input", { bubbles: true }));
    mark = null;
    show();
  };

  // A text that is written by hand stands where the server finds it.
  list.addEventListener("input", (event) => {
    const name = event.target.name ?? "";
    if (event.isTrusted && (name.endsWith(":text") || name.endsWith(":turn"))) {
      const start = list.querySelector(`[name='${name.replace(/:(text|turn)$/, ":start")}']`);
      if (start) start.value = "";
    }
  });

  dialogue.addEventListener("mouseup", () => {
    const chosen = getSelection();
    if (!chosen.rangeCount || chosen.isCollapsed) return;
    const range = chosen.getRangeAt(0);
    const turn = turns.find((one) => one.contains(range.startContainer));
    if (!turn) return;
    const own = words(turn);
    const inside = own.map((word, number) => (range.intersectsNode(word) ? number : -1)).filter((number) => number >= 0);
    if (inside.length) {
      mark = { turn, first: inside[0], last: inside.at(-1) };
      show();
      chosen.removeAllRanges();
      turn.focus({ preventScroll: true });
    }
  });

  dialogue.addEventListener("click", (event) => {
    const word = event.target.closest("[data-word]");
    if (!word || !getSelection().isCollapsed || mark?.turn.contains(word) && word.classList.contains("marked") && !event.shiftKey && mark.first !== mark.last) return;
    const turn = word.closest("[data-turn]");
    const place = words(turn).indexOf(word);
    mark = event.shiftKey && mark?.turn === turn ? { ...mark, last: place } : { turn, first: place, last: place };
    show();
  });

  dialogue.addEventListener("keydown", (event) => {
    const turn = event.target.closest("[data-turn]");
    if (!turn || event.ctrlKey || event.metaKey || event.altKey) return;
    const most = words(turn).length - 1;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) {
      if (mark?.turn !== turn) mark = { turn, first: step > 0 ? 0 : most, last: step > 0 ? 0 : most };
      else {
        const last = Math.max(0, Math.min(most, mark.last + step));
        mark = event.shiftKey ? { ...mark, last } : { turn, first: last, last };
      }
      show();
      event.preventDefault();
    } else if (event.key === "h" || event.key === "t") {
      take(event.key === "h" ? "head" : "tail");
      event.preventDefault();
    }
  });

  show();
  document.querySelectorAll("[data-take]").forEach((button) => {
    button.addEventListener("click", () => take(button.dataset.take));
  });
}
