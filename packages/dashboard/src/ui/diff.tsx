import { type Difference, differencesOf } from '@waybill/client/words';
import css from './diff.module.css';

interface DiffProps {
  readonly before: unknown;
  readonly after: unknown;
}

/** In what two values differ: every change is marked by a word and a sign beside its colour. */
export const Diff = ({ before, after }: DiffProps) => <Differences differences={differencesOf(before, after)} />;

export const Differences = ({ differences }: { differences: readonly Difference[] }) =>
  differences.length === 0 ? (
    <p className={css.same}>They are the same.</p>
  ) : (
    <ul className={css.diff}>
      {differences.map((difference) => (
        <li key={difference.path}>
          <span className={css.path}>{difference.path || 'the whole'}</span>{' '}
          <span className={css.kind}>{kindOf(difference)}</span>
          <Side sign="−" value={difference.before} className={css.before} />
          <Side sign="+" value={difference.after} className={css.after} />
        </li>
      ))}
    </ul>
  );

const kindOf = ({ before, after }: Difference): string =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';

const Side = ({ sign, value, className }: { sign: string; value: unknown; className: string | undefined }) =>
  value === undefined ? null : (
    <code className={className}>
      {sign} {JSON.stringify(value)}
    </code>
  );
