import { collectDefaultMetrics, Registry } from 'prom-client';

let registry: Registry | null = null;

/**
 * Memory, processor, event loop and garbage collection of this process. Measured from the first call on, so a process
 * whose metrics nobody reads does not pay for them.
 */
export function processMetrics(): Registry {
  if (registry) return registry;
  registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
