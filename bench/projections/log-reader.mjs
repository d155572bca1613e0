import { setImmediate as turn } from 'node:timers/promises';

const PAGE = 5_000;

/**
 * Reads a log like a follower, by `position > checkpoint` alone, while others write. It would never see an event that
 * it skipped.
 */
export class LogReader {
  #store;
  #checkpoint;
  #over = false;

  constructor(store, from) {
    this.#store = store;
    this.#checkpoint = from;
  }

  /** Returns the number of events that it has read when it reaches the head after `finish`. */
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

  /** No more events will be written. */
  finish() {
    this.#over = true;
  }
}
