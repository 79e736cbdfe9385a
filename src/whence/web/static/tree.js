// Sentences are dragged to the tray instead of being ticked; the tray says which are there.
const pool = document.querySelector("[data-pool]");
const tray = document.querySelector("[data-tray]");

if (pool && tray) {
  const picked = tray.querySelector("[data-picked]");
  const boxes = () => [...pool.querySelectorAll("input[type=checkbox]")];

  const tell = () => {
    const names = boxes().filter((box) => box.checked).map((box) => box.value);
    picked.textContent = names.join(" & ") || "none";
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
  tell();
}
