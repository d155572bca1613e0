import type { ChangesSum } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Card } from '../ui/card.js';
import { plural } from '../ui/numbers.js';
import { Pill } from '../ui/pill.js';
import { Ago } from '../ui/time.js';
import { useMoment } from '../time/moment.js';
import { useChangesSince } from './changes.queries.js';
import css from './since-you-were-here.module.css';
import { lastVisit } from './last-visit.js';

/** What became of tasks since this browser was last here; nothing on the first visit, and none in the past. */
export function SinceYouWereHere() {
  const since = useMemo(() => lastVisit(new Date()), []);
  const isNow = useMoment() === undefined;
  const { data } = useChangesSince(isNow ? since : null);
  if (!since || !data?.moves || data.moves.length === 0) return null;
  return (
    <Card title="Since you were here" aside={<What since={since} />}>
      <ul className={css.moves}>
        {data.moves
          .toSorted(gravestFirst)
          .slice(0, MOST_MOVES)
          .map((move) => (
            <Move key={`${move.queue} ${move.from} ${move.to}`} move={move} />
          ))}
      </ul>
    </Card>
  );
}

const MOST_MOVES = 6;

type Moved = NonNullable<ChangesSum['moves']>[number];

const gravestFirst = (a: Moved, b: Moved): number =>
  Number(b.to === 'failed') - Number(a.to === 'failed') || b.tasks - a.tasks;

const What = ({ since }: { since: string }) => (
  <>
    <Ago at={since} />{' '}
    <Link to="/activity" search={{ since }}>
      What people did
    </Link>
  </>
);

const Move = ({ move: { queue, from, to, tasks } }: { move: Moved }) => (
  <li>
    <Link to="/tasks" search={{ q: `queue:${queue} state:${to}` }}>
      {plural(tasks, 'task')} of {queue}
    </Link>
    {from === null ? ' came, now ' : ' went from '}
    {from === null ? null : (
      <>
        <Pill state={from} /> to{' '}
      </>
    )}
    <Pill state={to} />
  </li>
);
