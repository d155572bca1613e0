/** The id of the trace in a W3C trace context (`version-trace-parent-flags`), by which tools find it. */
export const traceIdOf = (traceparent: string): string => traceparent.split('-')[1]!;
