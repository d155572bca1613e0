import { about, section } from '../report/about.mjs';
import { goalsTable } from '../report/goals.mjs';
import { number, table } from '../report/table.mjs';

/** The whole result for people, as Markdown. */
export function report({
  machine,
  postgres,
  dependants,
  members,
  chain,
  result: { fanOut, fanOutOfKeys, fanIn, chains, batch },
  goals,
}) {
  const rows = [
    [`${number(dependants)} tasks that wait for one: all ready after, ms`, number(fanOut.ready)],
    ['an append of one task meanwhile, median, ms', number(fanOut.median)],
    ['the longest, ms', number(fanOut.longest)],
    ['the longest without them, ms', number(fanOut.longestBefore)],
    ['the same with keys of their own: all ready after, ms', number(fanOutOfKeys.ready)],
    ['an append of one task meanwhile, median, ms', number(fanOutOfKeys.median)],
    ['the longest, ms', number(fanOutOfKeys.longest)],
    [`one task that waits for ${number(dependants)}: ready after the last, ms`, number(fanIn.ready)],
    [`a request of ${number(chain)} tasks in a chain, ms`, number(chains.chain)],
    ['as many that wait for one, ms', number(chains.fan)],
    [`a batch of ${number(members)}: its tasks enqueued per second`, number(batch.fill)],
    ['plain tasks enqueued per second', number(batch.plainFill)],
    ['all of them given out from its opening on, tasks per second', number(batch.drain)],
    ['plain tasks drained per second', number(batch.plainDrain)],
  ];
  return [
    ...about(machine, postgres),
    section('The graph', table(['', 'result'], rows)),
    section('Goals', goalsTable(goals)),
  ].join('\n');
}
