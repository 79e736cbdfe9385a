// Concepts that are written already are offered wherever one is written: facts hang together by using them again.
const offered = document.querySelector("[data-concepts]");
const editor = offered.closest("fieldset");

editor.addEventListener("input", (event) => {
  if (!event.target.matches("[data-concept]")) return;
  const written = [...editor.querySelectorAll("[data-concept]")].filter((one) => one !== event.target).map((one) => one.value.trim());
  offered.replaceChildren(...[...new Set(written)].filter(Boolean).map((concept) => new Option(concept, concept)));
});
