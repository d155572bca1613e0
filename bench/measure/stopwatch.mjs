/** Measures from its making, or from a later `start`, to `stop`; `isOver` once a time limit has passed. */
export class Stopwatch {
  #start = performance.now();
  #end = null;
  #limitMs;

  constructor({ limitSeconds = Infinity } = {}) {
    this.#limitMs = limitSeconds * 1000;
  }

  /** Begins now; a system calls it where its own start-up is over. */
  start() {
    this.#start = performance.now();
  }

  /** The first stop counts. */
  stop() {
    this.#end ??= performance.now();
  }

  get isOver() {
    return performance.now() - this.#start > this.#limitMs;
  }

  /** How many of `count` were done in a second, until the stop. */
  rate(count) {
    return perSecond(count, this.#end - this.#start);
  }

  /** The same until now, whether it was stopped or not. */
  rateUntilNow(count) {
    return perSecond(count, performance.now() - this.#start);
  }
}

const perSecond = (count, ms) => count / (ms / 1000);
