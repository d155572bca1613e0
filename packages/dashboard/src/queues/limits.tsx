import type { LimitedValue, LimitPage } from '@waybill/client';
import { rateText } from '@waybill/client/words';
import { Actions } from '../actions/actions.js';
import { useOffered } from '../actions/offer.js';
import { useLive } from '../app/live.js';
import { Card } from '../ui/card.js';
import { Count } from '../ui/number.js';
import { Shown } from '../ui/shown.js';
import { type Column, Table } from '../ui/table.js';
import { At } from '../ui/time.js';
import { unsetLimit } from './limit-actions.js';

/** The most that the page shows. The command line lists more. */
const MOST = 100;

/** What the queue allows each value of a label, and what runs of it. */
export function Limits({ queue }: { queue: string }) {
  const limits = useLive(['limits', queue], (waybill) => waybill.queue(queue).limits({ limit: MOST }), {
    onlyPresent: true,
  });
  return (
    <Card title="Limits of values" aside={limits.data?.nextCursor ? `the first ${MOST}` : null} flush>
      <Shown
        of={limits}
        lines={2}
        onlyPresent="What runs of each value is counted now. The policy says what was allowed then."
      >
        {(page) => <Values queue={queue} page={page} />}
      </Shown>
    </Card>
  );
}

function Values({ queue, page }: { queue: string; page: LimitPage }) {
  const columns = useOffered(columnsOf(queue, page.label ?? ''));
  return <Table about="Limits of values" columns={columns} rows={[othersOf(page), ...page.items]} keyOf={keyOf} />;
}

/** The row of all other values. */
interface Others extends Pick<LimitPage, 'maxRunning' | 'rate'> {
  readonly isOthers: true;
}

type Row = LimitedValue | Others;

const othersOf = ({ maxRunning, rate }: LimitPage): Others => ({ isOthers: true, maxRunning, rate });

const nameOf = (row: Row): string => ('isOthers' in row ? 'each other value' : (row.value ?? 'without the label'));

/** Values may have any name. */
const keyOf = (row: Row): string => ('isOthers' in row || row.value === null ? nameOf(row) : `=${row.value}`);

const columnsOf = (queue: string, label: string): readonly Column<Row>[] => [
  { title: label, cell: nameOf },
  { title: 'Run', isNumber: true, cell: (row) => ('isOthers' in row ? '' : <Count value={row.running} />) },
  { title: 'At most', isNumber: true, cell: ({ maxRunning }) => (maxRunning ? <Count value={maxRunning} /> : '') },
  { title: 'Rate', cell: ({ rate }) => (rate ? rateText(rate) : '') },
  { title: 'Next start', cell: (row) => ('isOthers' in row ? '' : <NextStart of={row} />) },
  {
    title: 'Actions',
    cell: (row) =>
      isOwn(row) ? (
        <Actions
          subject={nameOf(row)}
          queue={queue}
          actions={[unsetLimit(queue, label, 'isOthers' in row ? null : row.value)]}
        />
      ) : (
        ''
      ),
  },
];

function NextStart({ of: { nextStartAt, running, maxRunning } }: { of: LimitedValue }) {
  if (maxRunning !== undefined && running >= maxRunning) return 'when one ends';
  return nextStartAt ? <At at={nextStartAt} /> : 'now';
}

const isOwn = (row: Row): boolean =>
  'isOthers' in row ? row.maxRunning !== undefined || row.rate !== undefined : row.isOwn;
