import type { EventView } from '@waybill/client';
import { differencesOf } from '@waybill/client/words';
import { Card } from '../ui/card.js';
import { Differences } from '../ui/diff.js';
import { Fold } from '../ui/fold.js';
import { duration } from '../ui/times.js';
import { type Attempt, attemptsOf } from './attempts-of.js';
import css from './attempts.module.css';

/** How each attempt ended, and in what its error differs from the one before; nothing before a second attempt. */
export function Attempts({ events }: { events: readonly EventView[] }) {
  const attempts = attemptsOf(events);
  if (attempts.length < 2) return null;
  return (
    <Card title="Attempts">
      <ol className={css.attempts} reversed>
        {attempts.toReversed().map((attempt, at, all) => (
          <li key={attempt.number}>
            <b>{attempt.number}</b> by {attempt.worker}
            {attempt.ranMs === undefined ? '' : `, ${duration(attempt.ranMs)}`}: {endOf(attempt)}
            <Changed before={all[at + 1]} after={attempt} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

const endOf = ({ error, end }: Attempt): string => (error ? `${error.class}: ${error.message}` : end);

function Changed({ before, after }: { before: Attempt | undefined; after: Attempt }) {
  if (!before?.error || !after.error) return null;
  const differences = differencesOf(before.error, after.error);
  if (differences.length === 0) return <p className={css.same}>The same error as before.</p>;
  return (
    <Fold title="What is different from the one before">
      <Differences differences={differences} />
    </Fold>
  );
}
