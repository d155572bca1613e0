/** The fields of a filter that choose tasks by the policy version that decided about them, in queries and in bodies. */
export const DECIDED = {
  version: {
    min: 1,
    max: 2_000_000_000,
    optional: true,
    description:
      "Only tasks of which an event was decided by this version of the queue's policy. Read from the log: up to 50,000 such events, for up to 10 seconds. Needs `queue`.",
  },
  since: { optional: true, description: 'With `policyVersion`: only by events from this time on.' },
  until: { optional: true, description: 'With `policyVersion`: only by events before this time.' },
} as const;
