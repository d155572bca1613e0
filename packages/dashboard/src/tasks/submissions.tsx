import type { EventView } from '@waybill/client';
import { Card } from '../ui/card.js';
import { Json } from '../ui/json.js';
import { At } from '../ui/time.js';
import css from './submissions.module.css';
import { useTaskHistory } from './tasks.queries.js';

/** The last ones, because a task may gather a thousand. */
const MOST_SHOWN = 50;

/** What became part of a task that gathered: each submission with who made it, when, and its payload. */
export function Submissions({ id }: { id: string }) {
  const { data = [] } = useTaskHistory(id);
  const submissions = data.filter(({ type }) => type === 'TaskEnqueued' || type === 'TaskSubmissionGathered');
  if (submissions.length < 2) return null;
  return (
    <Card title={`${submissions.length} submissions`}>
      {submissions.length > MOST_SHOWN ? <p>The last {MOST_SHOWN}:</p> : null}
      <ol className={css.list}>
        {submissions.slice(-MOST_SHOWN).map((one) => (
          <li key={one.position}>
            <At at={one.recordedAt} /> by {one.envelope.actor}
            <Json value={payloadOf(one)} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** The first submission of a task that gathers all begins a list. */
function payloadOf({ data }: EventView): unknown {
  const { payload = null, gathers } = data as {
    readonly payload?: unknown;
    readonly gathers?: { readonly all?: true };
  };
  return gathers?.all && Array.isArray(payload) ? payload[0] : payload;
}
