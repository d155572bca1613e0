import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));

/** A system in a process of its own, so that no system bears the memory, compiled code or timers of another. */
export class SystemProcess {
  /** Resolves when the system is open. Rejects with the reason if it cannot be opened. */
  ready;
  #child;
  #ended;

  constructor(name, places) {
    const args = [name, JSON.stringify(places)];
    // graphile-worker's own performance test sets NO_LOG_SUCCESS.
    const env = { ...process.env, NO_LOG_SUCCESS: '1' };
    this.#child = fork(CHILD, args, { env, stdio: ['ignore', 2, 2, 'ipc'], serialization: 'advanced' });
    this.#ended = once(this.#child, 'exit');
    this.ready = this.#answer();
  }

  work(name, size) {
    return this.#ask({ kind: 'work', work: name, size });
  }

  /** The number of statements that it has sent so far; null if unknown. */
  statements() {
    return this.#ask({ kind: 'statements' });
  }

  async stop() {
    if (this.#child.connected) this.#child.send({ kind: 'stop' });
    await this.#ended;
  }

  #ask(order) {
    this.#child.send(order);
    return this.#answer();
  }

  async #answer() {
    const ended = this.#ended.then(() => [{ error: 'Expected an answer, but the process ended' }]);
    const [{ result, error }] = await Promise.race([once(this.#child, 'message'), ended]);
    if (error) throw new Error(error);
    return result;
  }
}
