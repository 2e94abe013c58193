// The board's filters: a choice is applied at once, and the address stays short.
const form = document.querySelector("[data-filters]");

function address() {
  const asked = new URLSearchParams();
  const columns = [...form.querySelectorAll("[name=columns]")];
  for (const [key, value] of new FormData(form)) {
    if (value && key !== "columns") asked.set(key, value);
  }
  if (columns.some((box) => box.checked !== box.defaultChecked) || new URLSearchParams(location.search).has("columns")) {
    asked.set("columns", columns.filter((box) => box.checked).map((box) => box.value).join(","));
  }
  return `${form.getAttribute("action")}?${asked}`;
}

function apply(event) {
  event?.preventDefault();
  location.assign(address());
}

form?.addEventListener("submit", apply);
form?.addEventListener("change", (event) => {
  if (event.target.matches("select")) apply();
});
