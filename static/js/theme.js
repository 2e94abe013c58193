// Loaded before the first paint, so that a chosen theme never flashes.
(() => {
  try {
    const chosen = localStorage.getItem("theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage refused: the system's theme stands.
  }
})();
