import { IndexProgress } from '../../dist/infrastructure/eventstoredb/reservations/index-progress.js';

/**
 * How long the appends of this process wait for the index after the store has answered, in milliseconds. An append that
 * the index does not have in time is answered without it; `unindexed` counts these.
 */
export class IndexWaits {
  took = [];
  unindexed = 0;

  #original = Object.getOwnPropertyDescriptor(IndexProgress.prototype, 'reached');

  constructor() {
    const time = (asked) => this.#time(asked);
    const { value: reached } = this.#original;
    const value = function (position, timeoutMs) {
      const asked = reached.call(this, position, timeoutMs);
      return timeoutMs > 0 ? time(asked) : asked;
    };
    Object.defineProperty(IndexProgress.prototype, 'reached', { ...this.#original, value });
  }

  stop() {
    Object.defineProperty(IndexProgress.prototype, 'reached', this.#original);
  }

  async #time(asked) {
    const began = performance.now();
    const isIndexed = await asked;
    this.took.push(performance.now() - began);
    if (!isIndexed) this.unindexed += 1;
    return isIndexed;
  }
}
