import { createWaybill } from '@waybill/client';
import { setTimeout as pause } from 'node:timers/promises';
import { WaybillClient } from '../systems/waybill-client.mjs';

const LANES = 4;
const BATCH = 100;

/** A few callers, each of which repeatedly enqueues a batch, claims one and settles it. */
export class Load {
  done = 0;
  #client;
  #stopped = false;
  #lanes;

  constructor(url) {
    this.#client = new WaybillClient(createWaybill({ url, actor: 'soak' }));
  }

  /** Resolves when the first batch is done, so that no window includes the start. */
  async start() {
    await this.#client.empty();
    await this.#live();
    this.#lanes = Promise.all(Array.from({ length: LANES }, () => this.#lane()));
  }

  /** Resolves after this time. Throws an error that ended a lane earlier. */
  async goOn(seconds) {
    await Promise.race([pause(seconds * 1000), this.#lanes]);
  }

  async stop() {
    this.#stopped = true;
    await this.#lanes;
  }

  async #lane() {
    while (!this.#stopped) await this.#live();
  }

  async #live() {
    await this.#client.liveBatch(BATCH);
    this.done += BATCH;
  }
}
