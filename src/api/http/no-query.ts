import type { FastifyRequest } from 'fastify';
import { InvalidInput } from '../input/invalid-input.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent where it is nobody's business, as of a file. */
    takesQuery?: boolean;
  }
}

/** A parameter would be passed over by a route that takes none, and its sender would believe it was heard. Throws `InvalidInput`. */
export function assertNoQuery({ query, routeOptions }: FastifyRequest): void {
  if (routeOptions.config.takesQuery !== false) return;
  const faults = Object.keys(query as object).map((name) => ({
    pointer: `#/query/${name}`,
    detail: 'Expected no query parameter, because this path takes none',
  }));
  if (faults.length > 0) throw new InvalidInput(faults);
}
