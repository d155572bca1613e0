import type { FailureGroupView } from '@waybill/client';
import { Card } from '../ui/card.js';
import { plural } from '../ui/numbers.js';
import { Ago, useNow } from '../ui/time.js';
import { exactTime } from '../ui/times.js';
import css from './failure-hours.module.css';
import { hoursUpTo } from './hours.js';

/** How often it was seen, by hour, up to now: also when it stopped. */
export function FailureHours({ hours }: { hours: FailureGroupView['hours'] }) {
  const shown = hoursUpTo(hours, useNow());
  const most = Math.max(...shown.map(({ failedAttempts }) => failedAttempts), 1);
  return (
    <Card title="Failures by hour" aside={`at most ${plural(most, 'attempt')}`}>
      <ol className={css.hours}>
        {shown.map(({ at, failedAttempts, failedTasks }) => {
          const text = `${exactTime(at)}: ${plural(failedAttempts, 'attempt')}, ${plural(failedTasks, 'task')}`;
          const height = `${(failedAttempts / most) * 100}%`;
          return <li key={at} data-zero={failedAttempts === 0} style={{ height }} title={text} aria-label={text} />;
        })}
      </ol>
      <p className={css.axis}>
        <Ago at={shown[0]!.at} />
        <span>now</span>
      </p>
    </Card>
  );
}
