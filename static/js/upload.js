// Drag and drop and progress for the form of an upload; without this it is a plain form.
const form = document.querySelector("form[data-upload]");

if (form) {
  const input = form.elements.file;
  const drop = form.querySelector("[data-drop]");
  const box = form.querySelector("[data-progress]");
  const bar = box.querySelector("progress");
  const said = box.querySelector("[role=status]");
  const button = form.querySelector("button[type=submit]");
  form.querySelector("[data-drop-here]").hidden = false;

  const isFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault(); // or the browser would open what is dropped beside
    drop.classList.toggle("is-over", drop.contains(event.target));
  });
  document.addEventListener("dragleave", () => drop.classList.remove("is-over"));
  document.addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    drop.classList.remove("is-over");
    input.files = event.dataTransfer.files;
    if (input.files.length) form.requestSubmit();
  });

  function finish(text) {
    said.textContent = text;
    button.disabled = false;
  }

  function show(request) {
    if (request.status < 400 && request.responseURL !== form.action) {
      location.assign(request.responseURL);
      return;
    }
    const answer = new DOMParser().parseFromString(request.responseText, "text/html");
    const errors = answer.querySelector("ul.errors");
    form.querySelector("ul.errors")?.remove();
    if (errors) form.prepend(document.adoptNode(errors));
    const isBusy = request.status === 503 || request.status === 429;
    const next = isBusy ? "The site is busy: send it again in a few seconds." : "Reload this page and try again.";
    finish(errors ? "" : `The file was not taken. ${next}`);
    box.hidden = Boolean(errors);
  }

  form.addEventListener("submit", (event) => {
    if (!input.files.length) return;
    event.preventDefault();
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.value = total ? (100 * loaded) / total : 0;
      said.textContent = loaded < total ? `Sent ${Math.floor(bar.value)} %` : "Reading the file …";
    });
    request.addEventListener("load", () => show(request));
    request.addEventListener("error", () => finish("The upload broke off. Send the file again."));
    box.hidden = false;
    button.disabled = true;
    request.send(new FormData(form));
  });
}
