import { SYSTEMS } from '../systems/all.mjs';
import { WORKS } from '../works/all.mjs';
import { Participants } from './participants.mjs';

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
  #participants = new Participants();

  /** `options`: systems and works by name, tasks, quick, repeat. Calls `say` for every step. */
  constructor(postgres, redis, options, say) {
    Object.assign(this, { postgres, redis, options, say });
    this.works = WORKS.filter(({ name }) => options.works.includes(name));
  }

  async run() {
    const leaveOut = (what, reason) => this.#leaveOut(what, reason);
    try {
      await this.#participants.open(this.#asked(), this, leaveOut);
      await this.#warmUp();
      for (let round = 0; round < this.options.repeat; round++) {
        for (const work of this.works.filter(({ once }) => !once)) await this.#byAll(work, round);
      }
      for (const work of this.works.filter(({ once }) => once)) await this.#byAll(work, 0);
    } finally {
      await this.#participants.close();
    }
  }

  /** The systems that took part. */
  get systems() {
    return this.#participants.systems;
  }

  #asked() {
    const { systems, works } = this.options;
    const hasWork = (system) => works.includes('life') || this.works.some((work) => work.by(system, this.options));
    return SYSTEMS.filter((system) => (systems?.includes(system.name) ?? true) && hasWork(system));
  }

  /** Lets Node compile what runs often, as in a service that has run for longer. */
  async #warmUp() {
    const work = this.works.find(({ name }) => name === 'bulkAndDrain');
    if (!work || this.options.quick) return;
    for (const system of this.systems) {
      this.say(`warming up ${system.title}`);
      await this.#participants.work(system, work, work.size(this.options));
    }
  }

  async #byAll(work, round) {
    const systems = this.systems.filter((system) => work.by(system, this.options));
    const first = round % Math.max(1, systems.length);
    for (const system of [...systems.slice(first), ...systems.slice(0, first)])
      await this.#measure(work, system, round);
  }

  async #measure(work, system, round) {
    await this.postgres.settle();
    const start = performance.now();
    try {
      const results = await this.#participants.work(system, work, work.size(this.options));
      for (const [result, values] of Object.entries(results)) this.#keep(result, system.name, round, values);
    } catch (error) {
      this.#leaveOut(`${work.name} by ${system.title}`, error.message);
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    this.say(`round ${round + 1}: ${work.name} by ${system.title}, ${seconds} s`);
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
}

function keep(kept, result, series, round, value) {
  ((kept[result] ??= {})[series] ??= [])[round] = value;
}
