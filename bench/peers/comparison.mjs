import { SYSTEMS, whyNot } from '../systems/all.mjs';
import { WORKS } from '../works/all.mjs';
import { startRedis } from '../database/redis.mjs';
import { SystemProcess } from './system-process.mjs';

/**
 * The same works by every system that can be measured here, interleaved: each repetition lets one system after the
 * other do each work, and the next one begins with the next system, so that other load on the machine affects all
 * alike.
 */
export class Comparison {
  /**
   * By result and by series (a system's name, or that with `CaughtUp`): the sample of each round, with holes for rounds
   * that failed.
   */
  samples = {};
  /** The cost of a task, in the same structure. */
  costs = {};
  /** What is missing in the results, and why. */
  leftOut = [];
  #processes = new Map();
  #redis = [];

  /** `options`: systems and works by name, tasks, quick, repeat. Calls `say` for every step. */
  constructor(postgres, redis, options, say) {
    Object.assign(this, { postgres, redis, options, say });
    this.works = WORKS.filter(({ name }) => options.works.includes(name));
  }

  async run() {
    try {
      await this.#start();
      await this.#warmUp();
      for (let round = 0; round < this.options.repeat; round++) {
        for (const work of this.works.filter(({ once }) => !once)) await this.#byAll(work, round);
      }
      for (const work of this.works.filter(({ once }) => once)) await this.#byAll(work, 0);
    } finally {
      await this.#stop();
    }
  }

  /** Lets Node compile what runs often, as in a service that has run for longer. */
  async #warmUp() {
    const work = this.works.find(({ name }) => name === 'bulkAndDrain');
    if (!work || this.options.quick) return;
    for (const { name, title } of this.systems) {
      this.say(`warming up ${title}`);
      await this.#processes.get(name).work(work.name, work.size(this.options));
    }
  }

  /** The systems that took part. */
  get systems() {
    return SYSTEMS.filter(({ name }) => this.#processes.has(name));
  }

  async #start() {
    const asked = SYSTEMS.filter(({ name }) => this.options.systems?.includes(name) ?? true);
    for (const system of asked.filter((one) => this.#hasWork(one) && this.#isThere(one))) {
      this.#processes.set(system.name, new SystemProcess(system.name, await this.#places(system)));
    }
    await Promise.all(this.systems.map((system) => this.#untilReady(system)));
  }

  async #untilReady({ name, title }) {
    try {
      await this.#processes.get(name).ready;
    } catch (error) {
      this.#processes.delete(name);
      this.#leaveOut(title, error.message);
    }
  }

  #hasWork(system) {
    const { works } = this.options;
    return works.includes('life') || this.works.some((work) => work.by(system, this.options));
  }

  #isThere(system) {
    const reason = whyNot(system, this.redis);
    if (reason !== null) this.#leaveOut(system.title, reason);
    return reason === null;
  }

  async #places({ name, on }) {
    // Each of Waybill's two ways in has its own log.
    if (on === 'postgres') return { url: await this.postgres.database(name) };
    const server = await startRedis(on);
    this.#redis.push(server);
    return { redisPort: server.port, serverPid: server.pid };
  }

  async #byAll(work, round) {
    const systems = this.systems.filter((system) => work.by(system, this.options));
    const first = round % Math.max(1, systems.length);
    for (const system of [...systems.slice(first), ...systems.slice(0, first)])
      await this.#measure(work, system, round);
  }

  async #measure(work, { name, title }, round) {
    await this.postgres.settle();
    const start = performance.now();
    try {
      const results = await this.#processes.get(name).work(work.name, work.size(this.options));
      for (const [result, values] of Object.entries(results)) this.#keep(result, name, round, values);
    } catch (error) {
      this.#leaveOut(`${work.name} by ${title}`, error.message);
    }
    this.say(`round ${round + 1}: ${work.name} by ${title}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }

  #keep(result, name, round, { value, caughtUp, cost }) {
    keep(this.samples, result, name, round, value);
    if (caughtUp !== undefined) keep(this.samples, result, `${name}CaughtUp`, round, caughtUp);
    if (cost !== undefined) keep(this.costs, result, name, round, cost);
  }

  #leaveOut(what, reason) {
    this.leftOut.push({ what, reason });
    this.say(`${what} is left out: ${reason}`);
  }

  async #stop() {
    for (const system of this.#processes.values()) await system.stop();
    for (const server of this.#redis) await server.stop();
  }
}

function keep(kept, result, series, round, value) {
  ((kept[result] ??= {})[series] ??= [])[round] = value;
}
