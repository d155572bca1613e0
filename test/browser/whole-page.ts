import type { Page } from 'playwright-core';

/** Counts the requests of a page that have no answer yet. */
export const COUNTED = `(() => {
  const asked = window.fetch;
  window.unanswered = 0;
  window.fetch = async (...request) => {
    window.unanswered++;
    try {
      return await asked(...request);
    } finally {
      window.unanswered--;
    }
  };
})()`;

/** So many frames without a request and without a place that is loading, and the page has all that it shows. */
const FRAMES = 15;
/** A page that still loads then is shown as it is. */
const MOST_FRAMES = 1_200;

/** Cards that only offer something, which a page of the past does not. */
const OFFERS = ['Evidence', 'Follow it from a browser'];

/** What a page shows, once it has loaded. */
export interface WholePage {
  /** Every line of its content, with times as the service says them, and what is folded. */
  readonly lines: readonly string[];
  /** What its content offers to press or to choose, which is not among the lines. */
  readonly controls: readonly string[];
}

export async function wholePage(page: Page): Promise<WholePage> {
  await page.evaluate(`(async () => {
    const isDone = () => window.unanswered === 0 && document.querySelector('main h1') && !document.querySelector('main [aria-label=Loading]');
    for (let done = 0, frame = 0; done < ${FRAMES} && frame < ${MOST_FRAMES}; done = isDone() ? done + 1 : 0, frame++) await new Promise(requestAnimationFrame);
  })()`);
  return page.evaluate<WholePage>(`(() => {
    const main = document.querySelector('main');
    for (const time of main.querySelectorAll('time')) time.textContent = time.dateTime;
    for (const fold of main.querySelectorAll('details')) fold.open = true;
    const controls = [...main.querySelectorAll('button, input, select, textarea')];
    const names = controls.map((control) => control.innerText.trim() || control.ariaLabel || control.labels?.[0]?.innerText.trim() || control.type);
    const offers = [...main.querySelectorAll('section')].filter((card) => ${JSON.stringify(OFFERS)}.includes(card.querySelector('h2')?.innerText));
    for (const part of [...controls, ...offers, ...main.querySelectorAll('form, canvas')]) part.remove();
    const lines = main.innerText.split(/[\\n\\t]+/).map((line) => line.trim());
    return { lines: lines.filter((line) => line !== ''), controls: names };
  })()`);
}
