// Resolved once the reader does something: until then, what the server has drawn is enough.
const ACTS = ["pointermove", "pointerdown", "touchstart", "wheel", "scroll", "keydown"];

export const interest = new Promise((resolve) => {
  const settle = () => {
    for (const act of ACTS) removeEventListener(act, settle, { capture: true });
    resolve();
  };
  for (const act of ACTS) addEventListener(act, settle, { capture: true, passive: true });
});
