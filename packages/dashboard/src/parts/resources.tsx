import type { ResourceView } from '@waybill/client';
import { count } from '@waybill/client/words';
import { hashOf } from '../route.js';
import { State, Time } from './state.js';
import { Table } from './table.js';

/** The most resources that the page shows. The command line lists more. */
export const MOST_RESOURCES = 200;

/** Beyond this number, the service counts no further. */
const MOST_COUNTED = 10_000;

/** The resources: what each gauge shows, the limits of the steps that need it, and how many tasks wait for it. */
export const Resources = ({ resources }: { readonly resources: readonly ResourceView[] }) => (
  <>
    <h1>Resources</h1>
    {resources.length === 0 ? <NoResources /> : <ResourceTable resources={resources} />}
    {resources.length === MOST_RESOURCES ? (
      <p class="quiet">These are the first {MOST_RESOURCES} resources. The command line lists more.</p>
    ) : null}
  </>
);

const ResourceTable = ({ resources }: { readonly resources: readonly ResourceView[] }) => (
  <Table about="Resources" titles={['Resource', 'State', { numbers: 'Gauge' }, 'Measured', 'By', 'Needed by']}>
    {resources.map((resource) => (
      <Row key={resource.name} resource={resource} />
    ))}
  </Table>
);

const Row = ({ resource: { name, description, state, value, unit, measuredAt, measuredBy, needs } }: Props) => (
  <tr>
    <th scope="row" title={description}>
      {name}
    </th>
    <td>{stateOf(state, needs)}</td>
    <td class="number">{value === null ? '–' : `${rounded(value)}${unit ?? ''}`}</td>
    <td>{measuredAt === null ? 'never' : <Time at={measuredAt} />}</td>
    <td>{measuredBy ?? '–'}</td>
    <td>{needs.length === 0 ? 'no step' : needs.map((need) => <NeedLine key={keyOf(need)} need={need} />)}</td>
  </tr>
);

interface Props {
  readonly resource: ResourceView;
}

type Need = ResourceView['needs'][number];

const keyOf = ({ queue, step, below }: Need): string => `${queue} ${step} ${below}`;

/** Two decimals are enough for people. */
const rounded = (value: number): string => String(Math.round(value * 100) / 100);

function stateOf(state: ResourceView['state'], needs: readonly Need[]) {
  if (state === 'stale') return <State state="failed" name="not measured" />;
  return needs.every(({ met }) => met) ? <State state="active" name="free" /> : <State state="paused" name="short" />;
}

/** Leads to the tasks of the queue that wait. */
const NeedLine = ({ need: { queue, step, below, met, waiting } }: { readonly need: Need }) => (
  <div>
    <a href={hashOf({ page: 'tasks', filter: { queue, state: 'pending' } })}>
      {step} of {queue}
    </a>{' '}
    below {below}: {met ? 'met' : `not met, ${count(waiting)}${waiting >= MOST_COUNTED ? ' or more' : ''} waiting`}
  </div>
);

const NoResources = () => (
  <>
    <p class="quiet">
      There is no resource. Define one from a program or the command line, and let a worker measure it:
    </p>
    <pre
      tabIndex={0}
    >{`waybill resource define working-storage --unit %\nwaybill resource measure working-storage 71`}</pre>
  </>
);
