// Asks the server, while one edits, what it says of the explanation as it is now. Without this script a button does.
const form = document.querySelector("form[data-live]");
const text = form.querySelector("[name=text]");
const examined = document.getElementById("examined");

form.addEventListener("submit", (event) => {
  // Buttons are disabled only after the browser has taken down which of them was pressed.
  setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
  if (event.submitter?.value === "explain") {
    form.querySelector("[data-waiting]").hidden = false;
  }
});
// A page that comes back from the browser's memory is as it was left: make it usable again.
addEventListener("pageshow", () => {
  form.querySelectorAll("button").forEach((button) => { button.disabled = false; });
  form.querySelectorAll("[data-waiting]").forEach((said) => { said.hidden = true; });
});

if (text && examined) {
  let asked = new AbortController();
  let waiting;

  const ask = async () => {
    asked.abort();
    asked = new AbortController();
    examined.setAttribute("aria-busy", "true");
    const body = new URLSearchParams(new FormData(form));
    body.set("do", "check");
    try {
      const answer = await fetch(form.dataset.live, {
        method: "POST", body, headers: { "X-Whence-Live": "1" }, signal: asked.signal,
      });
      const open = [...examined.querySelectorAll("details[open]")].map((one) => one.className);
      examined.innerHTML = await answer.text();
      examined.querySelectorAll("details").forEach((one) => { one.open = open.includes(one.className); });
      examined.dispatchEvent(new Event("examined", { bubbles: true }));
    } catch (error) {
      if (error.name === "AbortError") return;
      examined.textContent = "The server cannot be reached. What you wrote is still here.";
    }
    examined.removeAttribute("aria-busy");
  };
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, 250);
  };
  text.addEventListener("input", soon);
  form.querySelectorAll("[data-live-hint]").forEach((hint) => { hint.hidden = false; });

  const restore = form.querySelector("[data-restore]");
  if (restore) {
    restore.hidden = false;
    restore.addEventListener("click", () => {
      text.value = form.querySelector("[name=made]").value;
      ask();
      text.focus();
    });
  }
}
