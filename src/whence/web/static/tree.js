// Sentences are dragged to the tray instead of being ticked; the tray says which are there. Words find sentences.
const pool = document.querySelector("[data-pool]");
const tray = document.querySelector("[data-tray]");

if (pool && tray) {
  const picked = tray.querySelector("[data-picked]");
  const invitation = tray.querySelector("[data-invitation]");
  const boxes = () => [...pool.querySelectorAll("input[type=checkbox]")];

  const entry = (box) => {
    const [name, text] = box.closest("label").querySelectorAll("span");
    const item = document.createElement("li");
    const away = document.createElement("button");
    away.type = "button";
    away.className = "cross";
    away.textContent = "×";
    away.setAttribute("aria-label", `Untick ${box.value}`);
    away.addEventListener("click", () => {
      box.checked = false;
      tell();
      box.focus();
    });
    item.append(name.cloneNode(true), text.cloneNode(true), away);
    return item;
  };

  const tell = () => {
    const ticked = boxes().filter((box) => box.checked);
    picked.replaceChildren(...ticked.map(entry));
    picked.hidden = ticked.length === 0;
    invitation.hidden = ticked.length > 0;
  };

  pool.querySelectorAll("[data-sentence]").forEach((sentence) => {
    sentence.draggable = true;
    sentence.addEventListener("dragstart", (event) => {
      event.dataTransfer.setData("text/plain", sentence.dataset.sentence);
      event.dataTransfer.effectAllowed = "link";
      sentence.classList.add("dragged");
    });
    sentence.addEventListener("dragend", () => sentence.classList.remove("dragged"));
  });
  tray.addEventListener("dragover", (event) => { event.preventDefault(); tray.classList.add("over"); });
  tray.addEventListener("dragleave", () => tray.classList.remove("over"));
  tray.addEventListener("drop", (event) => {
    event.preventDefault();
    tray.classList.remove("over");
    const box = boxes().find((one) => one.value === event.dataTransfer.getData("text/plain"));
    if (box) {
      box.checked = true;
      tell();
    }
  });
  pool.addEventListener("change", tell);

  // A sentence that is ticked stays in sight, whatever is looked for.
  document.querySelector("[data-find]")?.addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    pool.querySelectorAll("[data-sentence]").forEach((sentence) => {
      const text = sentence.textContent.toLowerCase();
      const ticked = sentence.querySelector("input").checked;
      sentence.hidden = !ticked && !words.every((word) => text.includes(word));
    });
    event.stopPropagation();
  });
  document.querySelector("[data-find]")?.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault();
  });
  tell();
}
