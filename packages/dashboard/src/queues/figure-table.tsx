import { Link } from '@tanstack/react-router';
import { Fold } from '../ui/fold.js';
import { type Column, Table } from '../ui/table.js';
import { briefTime } from '../ui/times.js';
import { type Bucket, failedIn, FIGURES } from './figures.js';

/** The figures of the charts for people who do not see them, as doors to their moments, in the buckets in which something happened. */
export function FigureTable({ buckets }: { buckets: readonly Bucket[] }) {
  const some = buckets.filter((one) => one.enqueued + one.claimed + one.succeeded + failedIn(one) > 0);
  return (
    <Fold title="The figures as a table">
      {some.length === 0 ? (
        <p>Nothing happened in this range.</p>
      ) : (
        <Table about="Figures over time" columns={COLUMNS} rows={some} keyOf={({ at }) => at} />
      )}
    </Fold>
  );
}

const COLUMNS: readonly Column<Bucket>[] = [
  {
    title: 'From',
    cell: ({ at }) => (
      <Link to="." search={(search) => ({ ...search, at })}>
        {briefTime(at)}
      </Link>
    ),
  },
  ...FIGURES.flatMap(({ title, shown, lines }) =>
    lines.map(({ name, of }) => ({
      title: `${title}: ${name}`,
      isNumber: true,
      cell: (bucket: Bucket) => {
        const value = of(bucket);
        return value === null ? '–' : shown(value);
      },
    })),
  ),
];
