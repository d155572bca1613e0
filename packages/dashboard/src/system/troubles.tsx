import type { SystemView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Card } from '../ui/card.js';
import { plural } from '../ui/numbers.js';
import { Pill } from '../ui/pill.js';
import { ShortId } from '../ui/short-id.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';

interface OfSystem {
  readonly system: SystemView;
}

const shownOf = (all: number, shown: readonly unknown[]): string | null =>
  all > shown.length ? `the first ${shown.length}` : null;

const untilOf = (until: string | null) => (until === null ? 'when a service starts' : <Ago at={until} />);

/** The tasks whose histories cannot be read, so that they are put aside; nothing if there are none. */
export const Quarantine = ({ system: { quarantined, quarantinedTasks } }: OfSystem) =>
  quarantined === 0 ? null : (
    <Card
      title={`${plural(quarantined, 'task')} cannot be read by this build`}
      aside={shownOf(quarantined, quarantinedTasks)}
      flush
    >
      <Table about="Quarantine" columns={QUARANTINED} rows={quarantinedTasks} keyOf={({ taskId }) => taskId} />
    </Card>
  );

const QUARANTINED: readonly Column<SystemView['quarantinedTasks'][number]>[] = [
  {
    title: 'Task',
    cell: ({ taskId }) => (
      <Link to="/tasks/$id" params={{ id: taskId }}>
        <ShortId id={taskId} />
      </Link>
    ),
  },
  { title: 'Queue', cell: ({ queue }) => queue ?? '' },
  { title: 'State', cell: ({ state }) => (state === null ? '' : <Pill state={state} />) },
  { title: 'Why', isWide: true, cell: ({ reason }) => reason },
  { title: 'Since', isNumber: true, cell: ({ since }) => <Ago at={since} /> },
  { title: 'Read again', isNumber: true, cell: ({ until }) => untilOf(until) },
  { title: 'Position', isNumber: true, cell: ({ position }) => position ?? '' },
];

/** Where deliveries go and fail, so that they are tried seldom; nothing if there are none. */
export const FailingTargets = ({ system: { failingTargets, firstFailingTargets } }: OfSystem) =>
  failingTargets === 0 ? null : (
    <Card
      title={`${plural(failingTargets, 'target')} of mail and webhooks failed so often that they are tried seldom`}
      aside={shownOf(failingTargets, firstFailingTargets)}
      flush
    >
      <Table about="Deliveries that fail" columns={TARGETS} rows={firstFailingTargets} keyOf={({ target }) => target} />
    </Card>
  );

const TARGETS: readonly Column<SystemView['firstFailingTargets'][number]>[] = [
  { title: 'Target', cell: ({ target }) => (target === 'mail' ? 'the mail server' : target) },
  { title: 'Why', isWide: true, cell: ({ error }) => error },
  { title: 'Failures in a row', isNumber: true, cell: ({ failures }) => failures },
  { title: 'Last failure', isNumber: true, cell: ({ failedAt }) => <Ago at={failedAt} /> },
  { title: 'Next trial', isNumber: true, cell: ({ until }) => <Ago at={until} /> },
];

/** The events that reactions and triggers could not deal with; nothing if there are none. */
export const EventsPutAside = ({ system: { eventsPutAside, firstEventsPutAside } }: OfSystem) =>
  eventsPutAside === 0 ? null : (
    <Card
      title={`${plural(eventsPutAside, 'event')} that reactions and triggers could not deal with`}
      aside={shownOf(eventsPutAside, firstEventsPutAside)}
      flush
    >
      <Table
        about="Events put aside"
        columns={PUT_ASIDE}
        rows={firstEventsPutAside}
        keyOf={({ reaction, trigger, position }) => `${reaction} ${trigger} ${position}`}
      />
    </Card>
  );

const PUT_ASIDE: readonly Column<SystemView['firstEventsPutAside'][number]>[] = [
  { title: 'Reaction', cell: ({ reaction }) => reaction },
  { title: 'Trigger', cell: ({ trigger }) => trigger ?? '' },
  { title: 'Why', isWide: true, cell: ({ reason }) => reason },
  { title: 'Position', isNumber: true, cell: ({ position }) => position },
  { title: 'Since', isNumber: true, cell: ({ since }) => <Ago at={since} /> },
  { title: 'Tries', isNumber: true, cell: ({ tries }) => tries },
  { title: 'Next try', isNumber: true, cell: ({ until }) => untilOf(until) },
];
