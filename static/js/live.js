// Keeps one part of the page up to date while a run goes on; asks with the ETag it has.
// The answer is that part alone, or a whole page that holds it under the same id.
const PAUSE_MS = 3000;
const LONGEST_PAUSE_MS = 60000;

export function follow(part) {
  let tag = part.dataset.etag;
  let pause = PAUSE_MS;

  async function ask() {
    // Nobody looks, or somebody is typing in what would be replaced.
    if (document.hidden || part.contains(document.activeElement?.closest("[type='search'], [type='text'], textarea"))) return again(PAUSE_MS);
    try {
      const answer = await fetch(part.dataset.live, { headers: { "If-None-Match": tag }, cache: "no-store" });
      pause = PAUSE_MS;
      if (answer.ok) {
        tag = answer.headers.get("ETag") ?? tag;
        const { body } = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = (part.id && body.querySelector(`#${part.id}`)) || body;
        part.replaceChildren(...fresh.childNodes);
        part.dispatchEvent(new Event("fresh", { bubbles: true }));
        if (part.querySelector("[data-over]")) return location.reload();
      }
    } catch {
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
    return again(pause);
  }

  function again(afterMs) {
    setTimeout(ask, afterMs);
  }

  again(PAUSE_MS);
}
