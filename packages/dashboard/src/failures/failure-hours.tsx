import type { FailureGroupView } from '@waybill/client';
import { Card } from '../ui/card.js';
import { plural } from '../ui/numbers.js';
import { At } from '../ui/time.js';
import { exactTime } from '../ui/times.js';
import css from './failure-hours.module.css';

/** How often it was seen, by hour. */
export function FailureHours({ hours }: { hours: FailureGroupView['hours'] }) {
  if (hours.length === 0) return null;
  const most = Math.max(...hours.map(({ failedAttempts }) => failedAttempts), 1);
  return (
    <Card title="Failures by hour" aside={`at most ${plural(most, 'attempt')}`}>
      <ol className={css.hours}>
        {hours.map(({ at, failedAttempts, failedTasks }) => {
          const text = `${exactTime(at)}: ${plural(failedAttempts, 'attempt')}, ${plural(failedTasks, 'task')}`;
          return <li key={at} style={{ height: `${(failedAttempts / most) * 100}%` }} title={text} aria-label={text} />;
        })}
      </ol>
      <p className={css.axis}>
        <At at={hours[0]!.at} />
        <At at={hours.at(-1)!.at} />
      </p>
    </Card>
  );
}
