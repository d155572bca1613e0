import type { BatchView } from '@waybill/client';
import { count } from '@waybill/client/words';

const [WIDTH, HEIGHT] = [160, 10];

/** The order is that of the bar. */
const PARTS = ['succeeded', 'failed', 'aborted'] as const;

/** How far a batch is: a bar, and the same in words. */
export function BatchBar({ batch }: { batch: BatchView }) {
  const all = Math.max(1, batch.total - batch.deleted);
  const widths = PARTS.map((part) => (batch[part] / all) * WIDTH);
  return (
    <span class="batch-bar">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
        <rect class="open" width={WIDTH} height={HEIGHT} rx="3" />
        {PARTS.map((part, n) => (
          <rect
            key={part}
            class={part}
            x={widths.slice(0, n).reduce((sum, width) => sum + width, 0)}
            width={widths[n]!}
            height={HEIGHT}
          />
        ))}
      </svg>{' '}
      <span>{inWords(batch)}</span>
    </span>
  );
}

function inWords({ total, deleted, ...batch }: BatchView): string {
  const others = PARTS.slice(1).flatMap((part) => (batch[part] > 0 ? [`${count(batch[part])} ${part}`] : []));
  return [`${count(batch.succeeded)} of ${count(total - deleted)} succeeded`, ...others].join(', ');
}
