import type { BlamedField, QueueView } from '@waybill/client';
import { getRouteApi } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { useOffered } from '../actions/offer.js';
import { Card } from '../ui/card.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { changeField, changePolicy, isChangeable } from './policy-actions.js';
import { useBlame } from './policy.queries.js';
import { PolicyVersions } from './policy-versions.js';
import { VersionDiff } from './version-diff.js';

const route = getRouteApi('/queues/$queue');

/** The rules of the queue, who set each of them and why, and how they became what they are. */
export function PolicyTab({ view }: { view: QueueView }) {
  const { from, to } = route.useSearch();
  return (
    <Stack>
      {from && to ? <VersionDiff queue={view.name} from={Number(from)} to={Number(to)} /> : null}
      <Rules view={view} />
      <PolicyVersions queue={view.name} />
    </Stack>
  );
}

function Rules({ view }: { view: QueueView }) {
  const blame = useBlame(view.name);
  const columns = useOffered(columnsOf(view), view.name);
  return (
    <Card
      title={`Policy, version ${view.policyVersion}`}
      aside={<Actions subject={`queue ${view.name}`} queue={view.name} actions={[changePolicy(view)]} />}
      flush
    >
      <Shown of={blame}>
        {({ fields }) => (
          <Table about="Fields of the policy" columns={columns} rows={fields} keyOf={({ field }) => field} />
        )}
      </Shown>
    </Card>
  );
}

const columnsOf = (view: QueueView): Column<BlamedField>[] => [
  { title: 'Field', cell: ({ field }) => <code>{field}</code> },
  { title: 'Value', isWide: true, cell: ({ value }) => <code>{JSON.stringify(value)}</code> },
  { title: 'Version', isNumber: true, cell: ({ setBy }) => setBy?.version ?? 'default' },
  { title: 'By', cell: ({ setBy }) => setBy?.by ?? '' },
  { title: 'When', isNumber: true, cell: ({ setBy }) => (setBy ? <Ago at={setBy.at} /> : '') },
  { title: 'Why', isWide: true, says: ({ setBy }) => Boolean(setBy?.reason), cell: ({ setBy }) => setBy?.reason ?? '' },
  {
    title: 'Actions',
    cell: (field) =>
      isChangeable(field) ? (
        <Actions
          subject={`${field.field} of queue ${view.name}`}
          queue={view.name}
          actions={[changeField(view, field)]}
        />
      ) : null,
  },
];
