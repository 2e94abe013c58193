// Offers the endpoint's own models in the form of a submission, once they are asked for.
const form = document.querySelector("form[data-models]");
const PAUSE_MS = 700;
const PATIENCE_MS = 40000;
const NAMED = 8;

if (form) {
  const { model } = form.elements;
  const said = form.querySelector("[data-said]");
  const options = document.getElementById("listed-models");
  let round = 0;

  function show(names) {
    options.replaceChildren(...names.map((name) => new Option("", name)));
    said.replaceChildren();
    if (!names.length) return;
    if (names.length === 1 && !model.value) [model.value] = names;
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
    said.append("It lists ");
    names.slice(0, NAMED).forEach((name, index) => {
      const pick = document.createElement("button");
      pick.type = "button";
      pick.className = "pick mono";
      pick.textContent = name;
      pick.addEventListener("click", () => { model.value = name; model.focus(); });
      said.append(index ? ", " : "", pick);
    });
    said.append(`${more}.`);
  }

  async function read(answer) {
    if (answer.redirected) throw new Error("signed out");
    return answer.json();
  }

  async function ask() {
    const mine = ++round;
    said.textContent = "Asking the endpoint for its models …";
    try {
      const asked = await fetch(form.dataset.models, { method: "POST", body: new FormData(form) });
      let found = await read(asked);
      if (asked.ok) {
        form.action = `${form.action.split("?")[0]}?draft=${found.draft}`;
        form.dataset.models = `${form.dataset.models.split("?")[0]}?draft=${found.draft}`;
        found = await wait(found.address, mine);
      }
      if (mine !== round) return;
      show(found.models ?? []);
      if (!found.models?.length) said.textContent = found.said || "The endpoint was not asked in time.";
    } catch {
      if (mine === round) said.textContent = "The list could not be fetched. Type the model's name.";
    }
  }

  async function wait(where, mine) {
    const until = Date.now() + PATIENCE_MS;
    while (mine === round && Date.now() < until) {
      await new Promise((resolve) => { setTimeout(resolve, PAUSE_MS); });
      const answer = await fetch(where, { cache: "no-store" });
      if (answer.status !== 202) return read(answer);
    }
    return {};
  }

  form.querySelector("[data-list]").addEventListener("click", (event) => {
    event.preventDefault();
    ask();
  });
}
