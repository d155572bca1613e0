import type { StartedBulkOperation } from '@waybill/client';
import { Follows } from '../actions/follows.js';
import { plural } from '../ui/numbers.js';
import { Pill } from '../ui/pill.js';
import css from './preview.module.css';

/** What would become of the tasks, which would refuse, and what else would happen. */
export function Preview({ started: { count, preview } }: { started: StartedBulkOperation }) {
  if (!preview) return <p>{plural(count, 'task')} match.</p>;
  const { decided, moves, refused, ...follows } = preview;
  return (
    <ul className={css.list}>
      {moves.map(({ from, to, count: tasks }) => (
        <li key={`${from} ${to}`}>
          {plural(tasks, 'task')}: <Pill state={from} /> → <Pill state={to} />
        </li>
      ))}
      {Object.entries(refused).map(([code, tasks]) => (
        <li key={code} className={css.refused}>
          {plural(tasks, 'task')} would refuse it: {code}
        </li>
      ))}
      <Follows {...follows} />
      {decided < count ? (
        <li>
          Of {plural(count, 'task')}, the first {decided} were decided.
        </li>
      ) : null}
    </ul>
  );
}
