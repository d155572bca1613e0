import { median, quantile, rounded } from '../measure/quantiles.mjs';

/**
 * For each number of processes, with and without keys: the median rates, and for each process its share of the tasks
 * and the milliseconds that its claims waited, over all repetitions.
 */
export function summarised(runs) {
  const names = [...new Set(runs.map(nameOf))];
  return names.map((name) => ({ name, ...summaryOf(runs.filter((run) => nameOf(run) === name)) }));
}

const nameOf = ({ processes, isKeyed }) => `${processes}${isKeyed ? ', with keys' : ''}`;

function summaryOf(runs) {
  const [{ processes }] = runs;
  return {
    enqueue: rounded(median(runs.map(({ enqueue }) => enqueue))),
    drain: rounded(median(runs.map(({ drain }) => drain))),
    claimers: Array.from({ length: processes }, (_, at) => claimerOf(runs.map(({ claimers }) => claimers[at]))),
  };
}

function claimerOf(answers) {
  const waits = answers.flatMap((answer) => answer.waits);
  const tasks = answers.reduce((sum, { done }) => sum + done, 0);
  // A process without tasks waited without end.
  if (waits.length === 0) return { tasks, claims: 0, p50: null, p99: null };
  return { tasks, claims: waits.length, p50: rounded(median(waits)), p99: rounded(quantile(waits, 0.99)) };
}
