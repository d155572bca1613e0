/** A part of the service's work. */
export interface TracedWork {
  /** One of few. */
  readonly name: string;
  /** `server`: it answers a caller. `client`: it asks another system. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Where the trace of its caller stands; null if it has none. Absent: it is a part of what it runs within. */
  readonly traceparent?: string | null;
}

/** Makes spans of what the service does. Provided only if they are exported somewhere. */
export abstract class Tracing {
  /** Runs `work`, once, with the `traceparent` to pass on to other systems, and passes on what becomes of it. */
  abstract within<T>(traced: TracedWork, work: (traceparent: string) => Promise<T>): Promise<T>;
}
