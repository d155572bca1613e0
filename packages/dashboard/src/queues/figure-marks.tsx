import { Link } from '@tanstack/react-router';
import type { Mark } from '../ui/chart-props.js';
import { Fold } from '../ui/fold.js';
import { plural } from '../ui/numbers.js';
import { briefTime } from '../ui/times.js';
import css from './figure-marks.module.css';

/** More of them are folded: the charts come first. */
const FEW = 6;

/** What the numbered lines of the charts are, as doors to their moments. */
export function FigureMarks({ marks }: { marks: readonly Mark[] }) {
  if (marks.length === 0) return null;
  if (marks.length <= FEW) return <List marks={marks} />;
  return (
    <Fold title={`${plural(marks.length, 'mark')} in the charts`}>
      <List marks={marks} />
    </Fold>
  );
}

const List = ({ marks }: { marks: readonly Mark[] }) => (
  <ol className={css.marks} aria-label="Marks in the charts">
    {marks.map(({ at, text }, n) => (
      <li key={`${at} ${text}`}>
        <b>{n + 1}</b>{' '}
        <Link to="." search={(search) => ({ ...search, at: new Date(at).toISOString() })}>
          {briefTime(at)}
        </Link>{' '}
        {text}
      </li>
    ))}
  </ol>
);
