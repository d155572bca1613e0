import type { TaskTrace } from '../../projections/tasks/traces.js';

/** Where traces are shown: an address with `{traceId}` in it. Provided only if it is configured. */
export class TraceLinks {
  constructor(private readonly url: string) {}

  to({ traceId }: TaskTrace): string {
    return this.url.replaceAll('{traceId}', traceId);
  }
}

type WithTraces = { readonly traces: readonly TaskTrace[] };
export type Linked<T extends WithTraces> = Omit<T, 'traces'> & {
  readonly traces: readonly (TaskTrace & { readonly url: string | null })[];
};

/** With an address for each trace, if it is known where they are shown. */
export const linked = <T extends WithTraces>(task: T, links: TraceLinks | undefined): Linked<T> => ({
  ...task,
  traces: task.traces.map((trace) => ({ ...trace, url: links?.to(trace) ?? null })),
});
