import type { ModulesContainer } from '@nestjs/core';
import { isDeepStrictEqual } from 'node:util';
import type { EmbeddedOptions, EmbeddedWaybill } from './start-waybill.js';

interface Shared {
  readonly options: EmbeddedOptions;
  readonly started: Promise<EmbeddedWaybill>;
  /** How many modules of the application use it. */
  users: number;
}

/** By the modules of an application, because one application must not stop the Waybill of another. */
const shared = new WeakMap<ModulesContainer, Shared[]>();

/**
 * One Waybill for all modules of a Nest application that import it with the same options; the first one's `log` is used.
 * It stops when all of them have stopped it.
 */
export async function sharedWaybill(
  application: ModulesContainer,
  { log, ...options }: EmbeddedOptions,
  start: (options: EmbeddedOptions) => Promise<EmbeddedWaybill>,
): Promise<EmbeddedWaybill> {
  const all = shared.get(application) ?? [];
  shared.set(application, all);
  let one = all.find((each) => isDeepStrictEqual(each.options, options));
  if (!one) {
    one = { options, started: start({ ...options, ...(log && { log }) }), users: 0 };
    all.push(one);
  }
  one.users += 1;
  const started = await one.started;
  return { ...started, stop: async () => (--one.users === 0 ? started.stop() : undefined) };
}
