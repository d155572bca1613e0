import type { QueueStatsDetails } from '@waybill/client';
import { Card } from '../ui/card.js';
import { CodeBlock } from '../ui/code-block.js';
import { Fold } from '../ui/fold.js';
import { plural } from '../ui/numbers.js';
import { Pill } from '../ui/pill.js';
import { Ago } from '../ui/time.js';
import { workerOf } from './worker-text.js';

/** Why nothing of the queue runs, if that is because no worker asks for its tasks, and what to do. */
export function Unattended({ stats: { queue, counts, unattended, lastPolledAt } }: { stats: QueueStatsDetails }) {
  if (!unattended) return null;
  return (
    <Card
      title={`${plural(counts.pending ?? 0, 'task waits', 'tasks wait')} for a worker`}
      aside={<Pill state="unattended" label="no worker" />}
    >
      <p>
        {lastPolledAt === null ? (
          'No worker has claimed from this queue yet. '
        ) : (
          <>
            No worker claims from this queue, or knows these tasks: the last claim was <Ago at={lastPolledAt} />.{' '}
          </>
        )}
        Start a worker.
      </p>
      <Fold title="A worker to copy">
        <CodeBlock text={workerOf(queue, location.origin)} about={`A worker of the queue ${queue}`} />
      </Fold>
    </Card>
  );
}
