// Keeps what one writes while one writes it, and asks the server what it says of it. Without this script buttons do both.
const form = document.querySelector("form[data-work]");
const looked = document.getElementById("looked");
let asked = null;
let waiting;
let changed = false;

const revision = () => form.querySelector("[name=revision]");

const ask = async () => {
  if (asked) { waiting = setTimeout(ask, 200); return; }
  changed = false;
  asked = new AbortController();
  looked.setAttribute("aria-busy", "true");
  const body = new URLSearchParams(new FormData(form));
  body.set("do", "save");
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Whence-Live": "1" }, signal: asked.signal });
    const text = await answer.text();
    if (answer.ok || answer.status === 409) {
      looked.innerHTML = text;
    } else {
      say(text.replace(/<[^>]*>/g, "").trim());
    }
  } catch {
    changed = true;
    say("The server cannot be reached. What you wrote is still here; it is tried again.");
    waiting = setTimeout(ask, 5000);
  }
  asked = null;
  looked.removeAttribute("aria-busy");
};

const say = (line) => {
  let told = looked.querySelector("[data-said]");
  if (!told) {
    told = document.createElement("p");
    told.className = "alert";
    told.dataset.said = "";
    looked.append(told);
  }
  told.textContent = line;
};

const soon = () => {
  changed = true;
  clearTimeout(waiting);
  waiting = setTimeout(ask, 600);
};

// What is only asked for after a certain answer is hidden until then.
const follow = () => {
  const label = form.querySelector('[name="answer:whole"]:checked')?.value;
  form.querySelectorAll("[data-when]").forEach((field) => { field.hidden = field.dataset.when !== label; });
};

// There is always an empty row to go on in: the last one gets another behind it as soon as something stands there.
const grow = (list) => {
  const last = list.lastElementChild;
  const fields = [...last.querySelectorAll("input:not([type=hidden]), select")];
  if (!fields.some((field) => field.value)) return;
  const row = last.cloneNode(true);
  const number = list.children.length;
  row.removeAttribute("class");
  row.querySelectorAll(".chip").forEach((chip) => chip.remove());
  row.querySelectorAll("[name], button").forEach((field) => {
    for (const name of ["name", "value"]) {
      const text = field.getAttribute(name);
      if (text) field.setAttribute(name, text.replace(/^((?:edit:|field:).*?:)\d+(?=:|$)/, `$1${number}`));
    }
    const label = field.getAttribute("aria-label");
    if (label) field.setAttribute("aria-label", label.replace(/\d+$/, String(number + 1)));
    if (field.tagName === "SELECT") field.selectedIndex = 0;
    else if (field.tagName === "INPUT") field.value = "";
  });
  list.append(row);
};
form.querySelectorAll("[data-grows]").forEach((list) => {
  const enough = () => grow(list);
  list.addEventListener("input", enough);
  list.closest("fieldset").querySelector("[data-more]").hidden = true;
  enough();
});

// How many of several questions are answered.
const answered = form.querySelector("[data-answered]");
const questions = [...form.querySelectorAll("fieldset.asked")];
const count = () => {
  const done = questions.filter((one) => one.querySelector("input[type=radio]:checked"));
  done.forEach((one) => one.classList.remove("open"));
  if (answered) answered.textContent = done.length;
};

form.addEventListener("input", () => { follow(); count(); soon(); });
form.addEventListener("submit", () => {
  changed = false;
  clearTimeout(waiting);
  asked?.abort();
  // Disabled only after the browser has taken down which button was pressed.
  setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
});
addEventListener("pageshow", () => form.querySelectorAll("button").forEach((button) => { button.disabled = false; }));
addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });

// Figures choose among the answers of the question that has the focus: by name, as in ratings, or else by place. Where
// none has it, they choose for the first that is open; where there are several, the next one is gone to.
addEventListener("keydown", (event) => {
  if (!/^[0-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("textarea, select, input:not([type=radio])")) return;
  const isOpen = (one) => !one.querySelector("input[type=radio]:checked");
  const asking = event.target.closest("fieldset.asked") ?? questions.find(isOpen) ?? questions[0];
  if (!asking) return;
  const choices = [...asking.querySelectorAll("input[type=radio]")];
  const choice = choices.find((one) => one.value === event.key) ?? choices[Number(event.key) - 1];
  if (!choice) return;
  choice.click();
  choice.focus();
  event.preventDefault();
  const next = questions[questions.indexOf(asking) + 1];
  if (next && !asking.querySelector("textarea")) {
    (next.querySelector("input:checked") ?? next.querySelector("input")).focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }
});
form.querySelectorAll("[data-script-hint]").forEach((hint) => { hint.hidden = false; });
revision().defaultValue = revision().value;
follow();
count();
