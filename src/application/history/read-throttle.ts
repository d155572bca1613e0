import { Mutex } from '../kernel/mutex.js';

/**
 * Runs one piece of work at a time, in the order in which they came, and rests after each as long as it took. So reads
 * that go far back, however many there are, use at most half of one connection's time, and commands keep the rest.
 */
export class ReadThrottle {
  private readonly turn = new Mutex();

  async pass<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.turn.acquire();
    const begun = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(leave, performance.now() - begun);
    }
  }
}
