import { about, section } from '../report/about.mjs';
import { atLeast, goalsTable, judged } from '../report/goals.mjs';

const GOALS = [
  atLeast(0.8, 'claims by 500, turns of 100 values : plain', ({ few }) => few.bulk),
  atLeast(0.8, 'claims one by one, turns of 100 values : plain', ({ few }) => few.single),
  atLeast(0.8, 'claims by 500, turns of all values : plain', ({ many }) => many.bulk),
  atLeast(0.8, 'claims one by one, turns of all values : plain', ({ many }) => many.single),
];

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export const report = ({ machine, postgres, goals }) =>
  [...about(machine, postgres), section('Goals', goalsTable(goals))].join('\n');
