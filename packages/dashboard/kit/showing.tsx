import { Card } from '../src/ui/card.js';
import { Chart } from '../src/ui/chart.js';
import { CodeBlock } from '../src/ui/code-block.js';
import { Diff } from '../src/ui/diff.js';
import { Facts } from '../src/ui/facts.js';
import { Fold } from '../src/ui/fold.js';
import { Json } from '../src/ui/json.js';
import { Empty, ErrorNotice, Loading } from '../src/ui/notice.js';
import { Count } from '../src/ui/number.js';
import { Pill } from '../src/ui/pill.js';
import { Progress } from '../src/ui/progress.js';
import { useSelection } from '../src/ui/selection.js';
import { ShareBar } from '../src/ui/share-bar.js';
import { Shown } from '../src/ui/shown.js';
import { Sparkline } from '../src/ui/sparkline.js';
import { type Column, Table } from '../src/ui/table.js';
import { duration } from '../src/ui/times.js';
import type { Span } from '../src/tasks/spans.js';
import { Timeline } from '../src/tasks/timeline.js';
import type { Story } from './story.js';

const MINUTES = Array.from({ length: 60 }, (_, n) => n);
const FIRST_S = 1_780_000_000;
const wave = (height: number, length: number) => MINUTES.map((n) => Math.round(height * (1 + Math.sin(n / length))));
const failures = MINUTES.map((n) => (n > 44 ? (n * 7) % 23 : 0));

const ORDER = { order: 70_371, amount: { value: 21, currency: 'EUR' }, lines: [{ sku: 'A-7', quantity: 2 }] };

const BARS = [
  { title: 'pages', start: 0, end: 120, position: 70 },
  { title: 'pictures', start: 0, end: 8, position: 8 },
];

const NIGHT_MS = 8 * 3_600_000;
const attempt = (n: number, fromMs: number, ranMs: number, end: string): Span => ({
  kind: 'running',
  attempt: n,
  worker: 'worker-1',
  fromMs,
  toMs: fromMs + ranMs,
  end,
});
/** Two attempts of 16 and 143 ms, a night apart. */
const NIGHT: readonly Span[] = [
  attempt(1, 0, 16, 'TaskAttemptFailed'),
  { kind: 'waiting', fromMs: 16, toMs: 16 + NIGHT_MS },
  attempt(2, 16 + NIGHT_MS, 143, 'TaskSucceeded'),
];

/** What is read. */
export const SHOWING: readonly Story[] = [
  { title: 'Tables: rows with a name, numbers at the right', of: ['table'], shows: () => <Rows /> },
  {
    title: 'Charts: axes, units, dashes, a mark',
    of: ['chart', 'plot'],
    shows: () => (
      <Chart
        title="Throughput"
        unit="tasks a minute"
        times={MINUTES.map((n) => FIRST_S + n * 60)}
        series={[
          { name: 'succeeded', colour: '--state-running', values: wave(20, 6) },
          { name: 'failed', colour: '--alarm', dashes: [2, 3], values: failures },
        ]}
        marks={[{ at: (FIRST_S + 44 * 60) * 1_000, text: 'Policy changed by ann' }]}
        shown={(value) => `${value}/min`}
        group="kit"
      />
    ),
  },
  {
    title: 'Timeline: a linear axis, and a folded night',
    of: [],
    shows: () => <Timeline spans={NIGHT} />,
  },
  {
    title: 'Courses, shares and progress',
    of: ['sparkline', 'share-bar', 'progress'],
    shows: () => (
      <>
        <Sparkline values={wave(9, 4)} alarms={failures} about="60 minutes" />
        <ShareBar
          total={100}
          parts={[
            ['succeeded', 61],
            ['failed', 7],
            ['open', 20],
          ]}
        />
        <Progress bars={BARS} />
      </>
    ),
  },
  {
    title: 'Facts, trees, differences and text to copy',
    of: ['facts', 'json', 'diff', 'code-block', 'fold'],
    shows: () => (
      <>
        <Facts
          facts={[
            ['Kind', 'letter'],
            ['Ran', duration(143)],
            ['Not known', null],
          ]}
        />
        <Json value={ORDER} />
        <Diff before={ORDER} after={{ ...ORDER, amount: { value: 42, currency: 'EUR' }, note: 'by phone' }} />
        <Diff before={ORDER} after={ORDER} />
        <CodeBlock text="npx waybill queue pause payments" about="A command" />
        <Fold title="What few people look at">Its content</Fold>
      </>
    ),
  },
  {
    title: 'Nothing, not yet, and not at all',
    of: ['notice', 'shown'],
    shows: () => (
      <>
        <Empty title="No task matches.">
          <p>Take a term away.</p>
        </Empty>
        <Loading lines={3} />
        <ErrorNotice error={new Error('connect ECONNREFUSED 127.0.0.1:3000')} />
        <Shown of={{ data: undefined, error: null, fetchStatus: 'idle' } as never}>{() => null}</Shown>
      </>
    ),
  },
];

interface Line {
  readonly name: string;
  readonly state: string;
  readonly failed: number;
  readonly why?: string;
  readonly until?: string;
}

const REASON =
  'The provider moves its data centre tonight, and told nobody for how long, or what becomes of what it has got';

const LINES: readonly Line[] = [
  { name: 'payments', state: 'failed', failed: 122 },
  { name: 'mail', state: 'active', failed: 0 },
  { name: 'a-queue-whose-name-is-as-long-as-names-in-large-companies', state: 'paused', failed: 7, why: REASON },
];

const COLUMNS: readonly Column<Line>[] = [
  { title: 'Queue', cell: ({ name }) => <a href="#row">{name}</a> },
  { title: 'State', cell: ({ state }) => <Pill state={state} /> },
  { title: 'Why', isWide: true, cell: ({ why }) => why ?? '' },
  { title: 'Until', says: ({ until }) => until !== undefined, cell: ({ until }) => until },
  { title: 'Failed', isNumber: true, isFirst: true, cell: ({ failed }) => <Count value={failed} isAlarm /> },
];

function Rows() {
  const selection = useSelection(LINES.map(({ name }) => name));
  return (
    <Card title="3 queues" flush>
      <Table about="Queues" columns={COLUMNS} rows={LINES} keyOf={({ name }) => name} selection={selection} />
    </Card>
  );
}
