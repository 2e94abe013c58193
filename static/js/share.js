// Copy buttons of what is cited and shared. Without a clipboard the text beside them can be marked.
for (const button of document.querySelectorAll("[data-share]")) button.hidden = false;

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-share]");
  if (!button) return;
  const said = button.closest(".share").querySelector("[data-said]");
  try {
    await navigator.clipboard.writeText(button.parentElement.querySelector("pre").textContent);
    said.textContent = "Copied.";
  } catch {
    said.textContent = "The browser did not allow copying. Select the text and copy it yourself.";
  }
  setTimeout(() => { said.textContent = ""; }, 4000);
});
