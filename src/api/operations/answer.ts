/** The answer of an operation, however it was called: the body, and what HTTP puts into the status and headers. */
export interface Answer<Body> {
  readonly body: Body;
  /** The path of the created resource. */
  readonly created?: string;
  /** The answer repeats an earlier one under the same `Idempotency-Key`. */
  readonly replayed?: boolean;
  /** The answer reflects the log at least up to this position. */
  readonly asOf?: bigint;
  /** The version of the queue's policy, if the body shows it. */
  readonly policyVersion?: number;
}

/** The status and headers of the answer over HTTP. Callers in process get the same. */
export function headOf(answer: Answer<unknown>): { status: 200 | 201; headers: Record<string, string> } {
  const { created, replayed, asOf, policyVersion } = answer;
  return {
    status: created === undefined ? 200 : 201,
    headers: {
      ...(created !== undefined && { location: created }),
      ...(replayed && { 'idempotent-replayed': 'true' }),
      ...(asOf !== undefined && { 'x-as-of-position': String(asOf) }),
      ...(policyVersion !== undefined && { etag: `"${policyVersion}"` }),
    },
  };
}
