import type { FastifyRequest } from 'fastify';
import { InvalidInput } from '../input/invalid-input.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent if parameters do not matter, as for a file. */
    takesQuery?: boolean;
  }
}

/**
 * Throws `InvalidInput` if a route without parameters gets one. Otherwise it would be ignored, and its sender would
 * believe that it had an effect.
 */
export function assertNoQuery({ query, routeOptions }: FastifyRequest): void {
  if (routeOptions.config.takesQuery !== false) return;
  const faults = Object.keys(query as object).map((name) => ({
    pointer: `#/query/${name}`,
    detail: 'Expected no query parameter, because this path takes none',
  }));
  if (faults.length > 0) throw new InvalidInput(faults);
}
