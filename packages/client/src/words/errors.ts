/** An error as an event or a task has it. */
interface Told {
  readonly details?: unknown;
}

/** Where it was thrown and what caused it, as its worker told it; null where it did not. */
export function stackOf(error: Told | null | undefined): string | null {
  const { stack } = Object(error?.details) as { readonly stack?: unknown };
  return typeof stack === 'string' ? stack : null;
}

/** What else was told with it; null where that is nothing. */
export function detailsBesideStack(error: Told | null | undefined): unknown {
  if (stackOf(error) === null) return error?.details ?? null;
  const { stack: _, ...rest } = error!.details as Record<string, unknown>;
  return Object.keys(rest).length === 0 ? null : rest;
}
