import type { QueueView, TaskDetails } from '@waybill/client';
import { trackOf } from '@waybill/client/words';
import { hashOf } from '../route.js';

interface Stepped {
  readonly task: Pick<TaskDetails, 'queue' | 'steps' | 'step' | 'lastStep' | 'state'>;
  /** The rules of the queue for its steps. */
  readonly rules: QueueView['policy']['steps'];
}

/** The steps of a task: what is done, where it is, and where it begins again. A name leads to the tasks in this step. */
export function Steps({ task, rules }: Stepped) {
  const track = trackOf(task, rules);
  if (track.length === 0) return null;
  return (
    <section aria-label="Steps">
      <h2>Steps</h2>
      <ol class="track">
        {track.map(({ name, state, words }) => (
          <li key={name} class={state} aria-current={name === task.step ? 'step' : undefined}>
            <a href={hashOf({ page: 'tasks', filter: { queue: task.queue, step: name } })}>{name}</a>
            <span class="quiet">{words}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
