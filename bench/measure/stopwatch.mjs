/** Measures from its creation, or from a later `start`, to `stop`. `isOver` is true once a time limit has passed. */
export class Stopwatch {
  #start = performance.now();
  #end = null;
  #limitMs;

  constructor({ limitSeconds = Infinity } = {}) {
    this.#limitMs = limitSeconds * 1000;
  }

  /** Starts now. A system calls it when its own start-up is over. */
  start() {
    this.#start = performance.now();
  }

  /** Only the first stop counts. */
  stop() {
    this.#end ??= performance.now();
  }

  get isOver() {
    return performance.now() - this.#start > this.#limitMs;
  }

  /** How many of `count` were done per second, until the stop. */
  rate(count) {
    return perSecond(count, this.#end - this.#start);
  }

  /** The same until now, whether it was stopped or not. */
  rateUntilNow(count) {
    return perSecond(count, performance.now() - this.#start);
  }
}

const perSecond = (count, ms) => count / (ms / 1000);
