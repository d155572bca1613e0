import { orDash, table } from './table.mjs';

/** A goal that requires at least `bound`. `got` returns the result, or null if it was not measured. */
export const atLeast = (bound, title, got) => ({ title, sign: '>=', bound, got, holds: (reached) => reached >= bound });

export const atMost = (bound, title, got) => ({ title, sign: '<=', bound, got, holds: (reached) => reached <= bound });

/** Every goal with its result. `met` is null if it was not measured. */
export const judged = (goals, result) =>
  goals.map(({ title, sign, bound, got, holds }) => {
    const reached = got(result);
    return { title, goal: `${sign} ${bound}`, reached, met: reached === null ? null : holds(reached) };
  });

export function goalsTable(goals) {
  const rows = goals.map(({ title, goal, reached, met }) => [title, goal, orDash(reached), VERDICTS.get(met)]);
  return table(['goal', 'bound', 'reached', ''], rows);
}

const VERDICTS = new Map([
  [true, 'met'],
  [false, '**not met**'],
  [null, 'not measured'],
]);
