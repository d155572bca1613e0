import { startRedis } from '../database/redis.mjs';
import { SYSTEMS, whyNot } from '../systems/all.mjs';
import { SystemProcess } from './system-process.mjs';

/** The systems that take part in a comparison, each in a process of its own. */
export class Participants {
  #processes = new Map();
  #redis = [];

  /** Opens those of `systems` that can be measured here. Calls `leaveOut` with every other one's title and the reason. */
  async open(systems, { postgres, redis }, leaveOut) {
    for (const system of systems) {
      const reason = whyNot(system, redis);
      if (reason !== null) leaveOut(system.title, reason);
      else this.#processes.set(system.name, new SystemProcess(system.name, await this.#places(system, postgres)));
    }
    await Promise.all(this.systems.map((system) => this.#untilReady(system, leaveOut)));
  }

  get systems() {
    return SYSTEMS.filter(({ name }) => this.#processes.has(name));
  }

  /** The results of one work by one system. */
  work(system, work, size) {
    return this.#processes.get(system.name).work(work.name, size);
  }

  async close() {
    for (const system of this.#processes.values()) await system.stop();
    for (const server of this.#redis) await server.stop();
  }

  async #places({ name, on }, postgres) {
    // Each of Waybill's two ways in has its own log.
    if (on === 'postgres') return { url: await postgres.database(name) };
    const server = await startRedis(on);
    this.#redis.push(server);
    return { redisPort: server.port, serverPid: server.pid };
  }

  async #untilReady({ name, title }, leaveOut) {
    try {
      await this.#processes.get(name).ready;
    } catch (error) {
      this.#processes.delete(name);
      leaveOut(title, error.message);
    }
  }
}
