import type { BatchView } from '@waybill/client';
import { whole } from '../ui/numbers.js';
import { ShareBar } from '../ui/share-bar.js';

type Counts = Pick<BatchView, 'total' | 'open' | 'succeeded' | 'failed' | 'aborted' | 'deleted'>;

/** How far a batch is. */
export function BatchBar({ batch: { total, open, succeeded, failed, aborted, deleted } }: { batch: Counts }) {
  const about = `Of ${whole(total)}: ${whole(succeeded)} succeeded, ${whole(failed)} failed, ${whole(open)} open`;
  return (
    <div role="img" aria-label={about} title={about}>
      <ShareBar
        total={total}
        parts={[
          ['succeeded', succeeded],
          ['failed', failed],
          ['ended', aborted + deleted],
        ]}
      />
    </div>
  );
}
