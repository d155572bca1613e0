import type { OperationDetails } from '@waybill/client';
import { plural, whole } from '../ui/numbers.js';
import { ShareBar } from '../ui/share-bar.js';
import css from './became.module.css';

type Outcome = NonNullable<OperationDetails['became']>;

const PARTS = [
  ['succeeded', 'succeeded'],
  ['failed', 'failed again'],
  ['open', 'still open'],
  ['ended', 'ended otherwise'],
] as const;

/** What became of the tasks since they had the command. */
export function Became({ outcome }: { outcome: Outcome }) {
  const total = PARTS.reduce((sum, [part]) => sum + outcome[part], 0);
  return (
    <div
      role="status"
      aria-label={`Of ${plural(total, 'task')}: ${PARTS.map(([part, name]) => `${outcome[part]} ${name}`).join(', ')}`}
    >
      <ShareBar total={total} parts={PARTS.map(([part]) => [part, outcome[part]])} />
      <ul className={css.legend}>
        {PARTS.map(([part, name]) => (
          <li key={part}>
            <b>{whole(outcome[part])}</b> {name}
          </li>
        ))}
      </ul>
    </div>
  );
}
