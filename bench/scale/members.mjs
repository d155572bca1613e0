import { SystemProcess } from '../peers/system-process.mjs';

const WARM_UP = { tasks: 4_000, batch: 100 };

/** Several API processes on one database, each with a process that calls it. */
export class Members {
  #processes;

  /**
   * Resolves when all of them are ready and have compiled what they run. To warm up, each runs at most as many tasks as
   * are measured.
   */
  static async start(url, count, tasks) {
    const members = new Members(Array.from({ length: count }, () => new SystemProcess('waybillHttp', { url })));
    await Promise.all(members.#processes.map(({ ready }) => ready));
    await members.all('lifecycle', () => ({ ...WARM_UP, tasks: Math.min(WARM_UP.tasks, tasks) }));
    return members;
  }

  constructor(processes) {
    this.#processes = processes;
  }

  /**
   * Lets all of them do the same work at once. Returns their results in order. `sizeOf` gets the number of the process.
   */
  all(work, sizeOf) {
    return Promise.all(this.#processes.map((one, at) => one.work(work, sizeOf(at))));
  }

  stop() {
    return Promise.all(this.#processes.map((one) => one.stop()));
  }
}
