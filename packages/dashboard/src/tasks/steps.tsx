import type { QueueView, TaskDetails } from '@waybill/client';
import { trackOf } from '@waybill/client/words';
import { Link } from '@tanstack/react-router';
import { Card } from '../ui/card.js';
import { classes } from '../ui/classes.js';
import css from './steps.module.css';

interface StepsProps {
  readonly task: Pick<TaskDetails, 'queue' | 'steps' | 'step' | 'lastStep' | 'state'>;
  /** The rules of the queue for its steps. */
  readonly rules: QueueView['policy']['steps'] | undefined;
}

/** The steps of a task: what is done, where it is, and where it begins again. A name leads to the tasks in this step. */
export function Steps({ task, rules }: StepsProps) {
  const track = trackOf(task, rules);
  if (track.length === 0) return null;
  return (
    <Card title="Steps">
      <ol className={css.track}>
        {track.map(({ name, state, words }) => (
          <li
            key={name}
            className={classes(css.step, css[state])}
            aria-current={name === task.step ? 'step' : undefined}
          >
            <Link to="/tasks" search={{ q: `queue:${task.queue} step:${JSON.stringify(name)}` }}>
              {name}
            </Link>
            <span>{words}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
