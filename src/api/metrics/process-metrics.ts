import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | null = null;

/** Memory, processor, event loop and garbage of this process. Watched from the first call on: nobody pays who does not ask. */
export function processMetrics(): Registry {
  if (registry) return registry;
  registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
