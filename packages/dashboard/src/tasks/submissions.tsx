import type { TaskDetails } from '@waybill/client';
import { Card } from '../ui/card.js';
import { Json } from '../ui/json.js';
import { At } from '../ui/time.js';
import css from './submissions.module.css';
import { isListOf, isSame, type Submission, submissionsOf } from './submissions-of.js';
import { useTaskHistory } from './tasks.queries.js';

/** The last ones, because a task may gather a thousand. */
const MOST_SHOWN = 50;

type Gathered = Pick<TaskDetails, 'id' | 'payload'>;

/** What became part of a task that gathered: each submission with who made it, when, and its payload, unless the page shows that as the task's. */
export function Submissions({ task: { id, payload } }: { task: Gathered }) {
  const submissions = submissionsOf(useTaskHistory(id).data ?? []);
  if (submissions.length === 0) return null;
  return (
    <Card title={`${submissions.length} submissions`}>
      {submissions.length > MOST_SHOWN ? <p>The last {MOST_SHOWN}:</p> : null}
      <ol className={css.list}>
        {submissions.slice(-MOST_SHOWN).map((one) => (
          <li key={one.position}>
            <At at={one.at} /> by {one.by}
            <Submitted one={one} payload={payload} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Submitted({ one, payload }: { one: Submission; payload: unknown }) {
  if (one.payload === null) return ', without a payload';
  return isSame(one.payload, payload) ? ', with the payload below' : <Json value={one.payload} />;
}

/** Whether the submissions show all of the payload, in the order of its list. */
export function useIsInSubmissions({ id, payload }: Gathered): boolean {
  const submissions = submissionsOf(useTaskHistory(id).data ?? []);
  return submissions.length <= MOST_SHOWN && isListOf(payload, submissions);
}
