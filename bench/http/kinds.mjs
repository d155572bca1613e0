/** The tasks of each kind of life, and the policy of their queue; `n` counts the tasks of the queue. */
export const KINDS = {
  plain: { task: () => ({}) },
  unique: { task: (n) => ({ key: `k${n}` }) },
  ten: { task: (n) => ({ key: `k${Math.floor(n / 10)}` }), policy: { duplicatePending: 'allow' } },
  labels: { task: (n, batch) => ({ labels: { customer: `c${n % 7}` }, batch }), inBatch: true },
};
