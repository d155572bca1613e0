import type { StartedBulkOperation } from '@waybill/client';
import { plural } from '../ui/numbers.js';
import { Pill } from '../ui/pill.js';
import css from './preview.module.css';

/** What would become of the tasks, which would refuse, and what else would happen. */
export function Preview({ started: { count, preview } }: { started: StartedBulkOperation }) {
  if (!preview) return <p>{plural(count, 'task')} match.</p>;
  const { decided, moves, refused, takenAlong, unblocked, triggers } = preview;
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
      {takenAlong > 0 ? (
        <li>{plural(takenAlong, 'other task')} would be taken along, because they wait for these.</li>
      ) : null}
      {unblocked > 0 ? <li>{plural(unblocked, 'other task')} would have nothing left to wait for.</li> : null}
      {Object.entries(triggers).map(([name, times]) => (
        <li key={name}>
          Trigger {name} would fire {plural(times, 'time')}.
        </li>
      ))}
      {decided < count ? (
        <li>
          Of {plural(count, 'task')}, the first {decided} were decided.
        </li>
      ) : null}
    </ul>
  );
}
