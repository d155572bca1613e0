import type { BatchView } from '@waybill/client';
import { whole } from '../ui/numbers.js';
import css from './batch-bar.module.css';

type Counts = Pick<BatchView, 'total' | 'open' | 'succeeded' | 'failed' | 'aborted' | 'deleted'>;

/** How far a batch is. */
export function BatchBar({ batch: { total, open, succeeded, failed, aborted, deleted } }: { batch: Counts }) {
  const share = (tasks: number): string => `${total === 0 ? 0 : (tasks / total) * 100}%`;
  const about = `Of ${whole(total)}: ${whole(succeeded)} succeeded, ${whole(failed)} failed, ${whole(open)} open`;
  return (
    <div className={css.bar} role="img" aria-label={about} title={about}>
      <span className={css.succeeded} style={{ width: share(succeeded) }} />
      <span className={css.failed} style={{ width: share(failed) }} />
      <span className={css.ended} style={{ width: share(aborted + deleted) }} />
    </div>
  );
}
