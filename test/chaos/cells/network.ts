import { lasting } from '../../support/lasting.js';
import { until } from '../../support/until.js';
import type { Cell } from './cell.js';
import { LossyProxy } from './lossy-proxy.js';
import type { SceneOptions } from './scene.js';

/** Proxies between the services and their stores. */
export class Network {
  private readonly proxies: LossyProxy[] = [];

  /** For the scene's load. */
  get load(): SceneOptions {
    const through = async (url: string): Promise<string> => {
      const proxy = await LossyProxy.before(url);
      this.proxies.push(proxy);
      return proxy.through(url);
    };
    return { databaseUrl: through, eventStoreUrl: through };
  }

  /** One of the proxies, in turn. */
  at(turn: number): LossyProxy {
    return this.proxies[turn % this.proxies.length]!;
  }

  close(): void {
    for (const proxy of this.proxies) proxy.close();
  }
}

/** Longer than a lease. */
const PARTED_MS = 2_500;
/** Every so often longer than the terms of leaders, which then end by their own clocks. */
const LONG_MS = 8_000;
const LONG_EVERY = 3;

/** The services and a store are parted. What was under way arrives late, after others may have done it. */
export function partition(): Cell {
  const network = new Network();
  let turn = 0;
  return {
    load: network.load,
    fault: async () => {
      const proxy = network.at(turn++);
      await lasting(300);
      proxy.part();
      await lasting(turn % LONG_EVERY === 0 ? LONG_MS : PARTED_MS);
      proxy.heal();
      await lasting(500);
    },
    close: async () => network.close(),
  };
}

/** A store vanishes for those who are connected, and nothing tells them. New connections work. */
export function halfOpen(): Cell {
  const network = new Network();
  let turn = 0;
  return {
    load: network.load,
    fault: async () => {
      const proxy = network.at(turn++);
      await lasting(500);
      const before = proxy.swallowed;
      proxy.abandon();
      await until('something to be sent in vain', async () => (proxy.swallowed > before ? true : null));
      await lasting(1_000);
      proxy.endAbandoned();
    },
    close: async () => network.close(),
  };
}
