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

interface BecameProps {
  readonly outcome: Outcome;
  /** Whether they were tried anew; what is taken back is failed as before. */
  readonly isTried?: boolean;
}

/** What became of the tasks since they had the command. */
export function Became({ outcome, isTried = true }: BecameProps) {
  const nameOf = ([part, name]: (typeof PARTS)[number]): string => (part === 'failed' && !isTried ? 'failed' : name);
  const total = PARTS.reduce((sum, [part]) => sum + outcome[part], 0);
  return (
    <div
      role="status"
      aria-label={`Of ${plural(total, 'task')}: ${PARTS.map((part) => `${outcome[part[0]]} ${nameOf(part)}`).join(', ')}`}
    >
      <ShareBar total={total} parts={PARTS.map(([part]) => [part, outcome[part]])} />
      <ul className={css.legend}>
        {PARTS.map((part) => (
          <li key={part[0]}>
            <b>{whole(outcome[part[0]])}</b> {nameOf(part)}
          </li>
        ))}
      </ul>
    </div>
  );
}
