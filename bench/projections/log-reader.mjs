import { setImmediate as turn } from 'node:timers/promises';

const PAGE = 5_000;

/** Reads a log as a follower does, by `position > checkpoint` alone, while others write: what it skipped it never sees. */
export class LogReader {
  #store;
  #checkpoint;
  #seen = 0;
  #over = false;
  #reading;

  constructor(store, from) {
    this.#store = store;
    this.#checkpoint = from;
  }

  start() {
    this.#reading = this.#read();
  }

  /** Reads on to the head, and answers how many events it has seen. */
  async finish() {
    this.#over = true;
    await this.#reading;
    return this.#seen;
  }

  async #read() {
    for (;;) {
      const over = this.#over;
      const events = await this.#store.readAll(this.#checkpoint, PAGE);
      this.#seen += events.length;
      this.#checkpoint = events.at(-1)?.position ?? this.#checkpoint;
      if (over && events.length === 0) return;
      await turn();
    }
  }
}
