/** What an operation answers, whichever way it was called: the body, and what HTTP says in the status and in headers. */
export interface Answer<Body> {
  readonly body: Body;
  /** The path of what was created. */
  readonly created?: string;
  /** An `Idempotency-Key` repeated an earlier answer. */
  readonly replayed?: boolean;
  /** The position that the answer reflects at least. */
  readonly asOf?: bigint;
  /** The version of the queue's policy, where the body shows it. */
  readonly policyVersion?: number;
}

/** The answer's status and headers over HTTP; in process they say the same. */
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
