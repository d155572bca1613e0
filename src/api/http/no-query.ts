import type { FastifyRequest } from 'fastify';
import { InvalidInput } from '../input/invalid-input.js';
import { isMoment, noMoment } from '../input/query-validator.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent if parameters do not matter, as for a file. */
    takesQuery?: boolean;
    /** Why it has no past. */
    onlyPresent?: string | undefined;
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
    detail: detailOf(name, routeOptions.config.onlyPresent),
  }));
  if (faults.length > 0) throw new InvalidInput(faults);
}

const detailOf = (name: string, onlyPresent: string | undefined): string =>
  isMoment(name) && onlyPresent !== undefined
    ? noMoment(name, onlyPresent)
    : 'Expected no query parameter, because this path takes none';
