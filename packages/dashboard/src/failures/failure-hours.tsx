import type { FailureGroupView } from '@waybill/client';
import { Card } from '../ui/card.js';
import { plural } from '../ui/numbers.js';
import { Ago, At, useNow } from '../ui/time.js';
import { exactTime } from '../ui/times.js';
import css from './failure-hours.module.css';
import { courseOf } from './hours.js';

/** How often it was seen, by the minute or the hour: also when it stopped. */
export function FailureHours({ view }: { view: Pick<FailureGroupView, 'hours' | 'minutes'> }) {
  const { minutes, bars, endsAt } = courseOf(view, useNow());
  const most = Math.max(...bars.map(({ failedAttempts }) => failedAttempts), 1);
  const isHourly = minutes === 60;
  return (
    <Card title={`Failures by ${lengthOf(minutes)}`} aside={`at most ${plural(most, 'attempt')}`}>
      <ol className={css.hours}>
        {bars.map(({ at, failedAttempts, failedTasks }) => {
          const text = `${exactTime(at)}: ${plural(failedAttempts, 'attempt')}, ${plural(failedTasks, 'task')}`;
          const height = `${(failedAttempts / most) * 100}%`;
          return <li key={at} data-zero={failedAttempts === 0} style={{ height }} title={text} aria-label={text} />;
        })}
      </ol>
      <p className={css.axis}>
        {isHourly ? <Ago at={bars[0]!.at} /> : <At at={bars[0]!.at} />}
        {endsAt === null ? <span>now</span> : <At at={endsAt} />}
      </p>
    </Card>
  );
}

const lengthOf = (minutes: number): string =>
  minutes === 60 ? 'hour' : minutes === 1 ? 'minute' : `${minutes} minutes`;
