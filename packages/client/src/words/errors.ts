/** An error, as an event or a task contains it. */
interface Told {
  readonly details?: unknown;
}

/** The stack that the worker reported; null if it reported none. */
export function stackOf(error: Told | null | undefined): string | null {
  const { stack } = Object(error?.details) as { readonly stack?: unknown };
  return typeof stack === 'string' ? stack : null;
}

/** The other details of the error; null if there are none. */
export function detailsBesideStack(error: Told | null | undefined): unknown {
  if (stackOf(error) === null) return error?.details ?? null;
  const { stack: _, ...rest } = error!.details as Record<string, unknown>;
  return Object.keys(rest).length === 0 ? null : rest;
}
