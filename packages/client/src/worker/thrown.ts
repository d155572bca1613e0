/**
 * Describes a thrown value. It may be anything, and reading it may throw too: a getter, a revoked proxy, no prototype.
 */
export function describe(thrown: unknown): string {
  const words = [memberOf(thrown, 'message'), memberOf(thrown, 'name')].find(isWords);
  return (
    words ?? read(() => String(thrown)) ?? `Expected an error with a message, but got a ${typeof thrown} without one`
  );
}

/** Undefined if the member does not exist or cannot be read. */
export const memberOf = (thrown: unknown, name: string): unknown =>
  read(() => (Object(thrown) as Record<string, unknown>)[name]);

function read<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

const isWords = (value: unknown): value is string => typeof value === 'string' && value !== '';
