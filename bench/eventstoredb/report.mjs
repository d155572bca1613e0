import { about, section } from '../report/about.mjs';
import { atLeast, goalsTable, judged } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

const GOALS = ['one after the other', '100 callers', '500 callers'].map((name) =>
  atLeast(0.8, `appends, ${name}: adapter : raw client`, ({ appends }) => appends[name].share),
);

export const judge = (result) => judged(GOALS, result);

/** The whole result for people, as Markdown. */
export function report({ machine, postgres, store, appends, lives, goals }) {
  const appendRows = Object.entries(appends).map(([name, { raw, adapter, share }]) => [
    name,
    number(raw),
    number(adapter),
    `${Math.round(share * 100)} %`,
  ]);
  const lifeRows = Object.entries(lives).map(([name, { enqueue, drain, life }]) => [
    name,
    number(enqueue),
    number(drain),
    number(life),
  ]);
  return [
    ...about(machine, postgres),
    `Events on ${store}`,
    section('Appends of one event, a second', table(['', 'raw client', 'adapter', 'share'], appendRows)),
    section('Whole lives, tasks a second', table(['', 'enqueue', 'claim + settle', 'whole life'], lifeRows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
