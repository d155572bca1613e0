import { type Difference, differencesOf } from '@waybill/client/words';
import css from './diff.module.css';

interface DiffProps {
  readonly before: unknown;
  readonly after: unknown;
}

/** In what two values differ: every change is marked by a word and a sign beside its colour. */
export const Diff = ({ before, after }: DiffProps) => <Differences differences={differencesOf(before, after)} />;

interface DifferencesProps {
  readonly differences: readonly Difference[];
  /** Says a value for people; JSON is said where that would hide the difference. */
  readonly inWords?: (path: string, value: unknown) => string;
}

export const Differences = ({ differences, inWords = asJson }: DifferencesProps) =>
  differences.length === 0 ? (
    <p className={css.same}>They are the same.</p>
  ) : (
    <ul className={css.diff}>
      {differences.map((difference) => (
        <li key={difference.path}>
          <span className={css.path}>{difference.path || 'the whole'}</span>{' '}
          <span className={css.kind}>{kindOf(difference)}</span>
          <Sides of={difference} inWords={inWords} />
        </li>
      ))}
    </ul>
  );

const kindOf = ({ before, after }: Difference): string =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';

const asJson = (_: string, value: unknown): string => JSON.stringify(value);

function Sides({
  of: { path, before, after },
  inWords,
}: { of: Difference } & Required<Pick<DifferencesProps, 'inWords'>>) {
  const sideOf = (say: typeof inWords) =>
    [before, after].map((value) => (value === undefined ? null : say(path, value)));
  const said = sideOf(inWords);
  const [from, to] = said[0] === said[1] ? sideOf(asJson) : said;
  return (
    <>
      {from === null ? null : <code className={css.before}>− {from}</code>}
      {to === null ? null : <code className={css.after}>+ {to}</code>}
    </>
  );
}
