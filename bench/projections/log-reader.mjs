import { setImmediate as turn } from 'node:timers/promises';

const PAGE = 5_000;

/** Reads a log as a follower does, by `position > checkpoint` alone, while others write: what it skipped it never sees. */
export class LogReader {
  #store;
  #checkpoint;
  #over = false;

  constructor(store, from) {
    this.#store = store;
    this.#checkpoint = from;
  }

  /** Answers how many events it has seen when it stands at the head after `finish`. */
  async read() {
    for (let seen = 0; ;) {
      const over = this.#over;
      const events = await this.#store.readAll(this.#checkpoint, PAGE);
      if (over && events.length === 0) return seen;
      seen += events.length;
      this.#checkpoint = events.at(-1)?.position ?? this.#checkpoint;
      await turn();
    }
  }

  /** Nothing more will be written. */
  finish() {
    this.#over = true;
  }
}
