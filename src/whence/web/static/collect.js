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

form.addEventListener("input", () => { follow(); soon(); });
form.addEventListener("submit", () => {
  changed = false;
  clearTimeout(waiting);
  asked?.abort();
  // Disabled only after the browser has taken down which button was pressed.
  setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
});
addEventListener("pageshow", () => form.querySelectorAll("button").forEach((button) => { button.disabled = false; }));
addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });

// Figures choose among the answers of the question that has the focus: by name, as in ratings, or else by place.
form.addEventListener("keydown", (event) => {
  const asking = event.target.closest("fieldset.asked");
  if (!asking || event.target.matches("textarea, input:not([type=radio])") || event.ctrlKey || event.metaKey || event.altKey) return;
  const choices = [...asking.querySelectorAll("input[type=radio]")];
  const choice = choices.find((one) => one.value === event.key) ?? choices[Number(event.key) - 1];
  if (choice && /^[0-9]$/.test(event.key)) {
    choice.click();
    choice.focus();
    event.preventDefault();
  }
});
form.querySelectorAll("[data-script-hint]").forEach((hint) => { hint.hidden = false; });
revision().defaultValue = revision().value;
follow();
