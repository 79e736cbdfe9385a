// A sentence in a drawing can be clicked to ask why, as its button below can.
const buttonOf = (node) =>
  [...document.querySelectorAll("button[name=why]")].find((button) => button.value === node.dataset.id);

const tell = () => document.querySelectorAll("[data-asks]").forEach((hint) => { hint.hidden = false; });

document.addEventListener("click", (event) => {
  const node = event.target.closest(".whence-drawing .node");
  if (node) buttonOf(node)?.click();
});
document.addEventListener("pointerover", (event) => {
  const node = event.target.closest(".whence-drawing .node");
  if (node && buttonOf(node)) node.classList.add("asks");
});
document.addEventListener("examined", tell);
tell();
