import type { ErrorClass, ProgressBar } from '@waybill/contracts';
import { encodeJson } from '../json.js';
import { describe } from './thrown.js';
import { recordedBy } from './verdicts.js';

/** How far a part of the work is: `position` moves from `start` (0 if absent) to `end`. */
export interface Progress {
  readonly start?: number;
  readonly end: number;
  readonly position: number;
}

/** The service's limits. It would refuse the heartbeats of all tasks that come with a bar beyond them. */
const MOST_BARS = 50;
const TITLE_CHARACTERS = 200;

/** A bar that the service would refuse. Like an illegal verdict, it is final: the handler would show the same again. */
class IllegalProgress extends RangeError {
  readonly class: ErrorClass = 'bug';
  readonly final = true;
}

/** The progress bars of one attempt, by title, in the order in which they began. */
export class ProgressBars {
  private readonly byTitle = new Map<string, ProgressBar>();

  get all(): ProgressBar[] {
    return [...this.byTitle.values()];
  }

  /** Adds a bar or moves the one with the title. Throws if the service would refuse it. */
  set(title: string, progress: Progress): ProgressBar {
    const { start = 0, end, position } = recordedBy('run.progress', progress);
    assertTitle(title);
    if (!this.byTitle.has(title) && this.byTitle.size === MOST_BARS) {
      throw new IllegalProgress(`Expected at most ${MOST_BARS} progress bars per task, but '${title}' is one more`);
    }
    const bar = { title, start, end, position };
    for (const name of ['start', 'end', 'position'] as const) assertAmount(name, bar[name]);
    this.byTitle.set(title, bar);
    return bar;
  }
}

/** NUL and lone surrogates, which the service cannot store. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

function assertTitle(title: string): void {
  if (typeof title !== 'string') {
    throw new IllegalProgress(`Expected the title of a progress bar to be text, but got ${describe(title)}`);
  }
  if (title.length >= 1 && title.length <= TITLE_CHARACTERS && !UNSTORABLE.test(title)) return;
  throw new IllegalProgress(
    `Expected the title of a progress bar to have 1 to ${TITLE_CHARACTERS} characters that can be stored, ` +
      `but got ${title.length}: ${encodeJson(title.slice(0, TITLE_CHARACTERS))}`,
  );
}

function assertAmount(name: string, value: number): void {
  if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return;
  throw new IllegalProgress(
    `Expected the ${name} of a progress bar to be a number up to 2^53 - 1, but got ${describe(value)}`,
  );
}
