/** An error, as an event or a task contains it. */
interface ReportedError {
  readonly details?: unknown;
}

/** The stack that the worker reported; null if it reported none. */
export function stackOf(error: ReportedError | null | undefined): string | null {
  const { stack } = Object(error?.details) as { readonly stack?: unknown };
  return typeof stack === 'string' ? stack : null;
}

/** The other details of the error; null if there are none. */
export function detailsBesideStack(error: ReportedError | null | undefined): unknown {
  if (stackOf(error) === null) return error?.details ?? null;
  const { stack: _, ...rest } = error!.details as Record<string, unknown>;
  return Object.keys(rest).length === 0 ? null : rest;
}
