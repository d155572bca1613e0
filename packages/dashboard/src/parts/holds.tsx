import type { HoldView } from '@waybill/client';
import { count } from '@waybill/client/words';
import { hashOf } from '../route.js';
import { service } from '../service.js';
import { type Action, Actions } from './action.js';
import { Time } from './state.js';
import { Table } from './table.js';

/** The most holds that the page shows. The command line lists more. */
export const MOST_HOLDS = 200;

/** Beyond this number, the service counts no further. */
const MOST_COUNTED = 10_000;

interface HoldsProps {
  readonly holds: readonly HoldView[];
  readonly onDone: () => void;
}

/** The holds in force: what each catches, who placed it and why, and how many tasks it holds. */
export const Holds = ({ holds, onDone }: HoldsProps) => (
  <>
    <h1>Holds</h1>
    {holds.length === 0 ? <NoHolds /> : <HoldTable holds={holds} onDone={onDone} />}
    {holds.length === MOST_HOLDS ? (
      <p class="quiet">These are the first {MOST_HOLDS} holds. The command line lists more.</p>
    ) : null}
  </>
);

const HoldTable = ({ holds, onDone }: HoldsProps) => (
  <Table about="Holds" titles={['Hold', 'Tasks with', 'Placed by', 'Since', 'Reason', { numbers: 'Holds' }, 'Actions']}>
    {holds.map((hold) => (
      <Row key={hold.name} hold={hold} onDone={onDone} />
    ))}
  </Table>
);

function Row({ hold, onDone }: { hold: HoldView; onDone: () => void }) {
  const { name, labels, placedBy, placedAt, reason } = hold;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{pairsOf(labels).join(', ')}</td>
      <td>{placedBy}</td>
      <td>
        <Time at={placedAt} />
      </td>
      <td>{reason ?? '–'}</td>
      <td class="number">
        <Held hold={hold} />
      </td>
      <td>
        <Actions of={`hold '${name}'`} actions={actionsOn(hold)} onDone={onDone} />
      </td>
    </tr>
  );
}

/** Leads to the tasks that are held and have the first of its labels. */
function Held({ hold: { labels, holds } }: { hold: HoldView }) {
  if (holds === null || holds === 0) return <>{holds}</>;
  const filter = { state: 'held', label: pairsOf(labels)[0] };
  return (
    <a href={hashOf({ page: 'tasks', filter })}>
      {count(holds)}
      {holds >= MOST_COUNTED ? ' or more' : ''}
    </a>
  );
}

const pairsOf = (labels: HoldView['labels']): string[] => Object.entries(labels).map((pair) => pair.join('='));

export const actionsOn = ({ name }: Pick<HoldView, 'name'>): readonly Action[] => [
  {
    name: 'Lift',
    about: 'It catches no more tasks. Those that it caught stay held until somebody releases them.',
    run: (reason) => service().holds.lift(name, { reason }),
  },
];

const NoHolds = () => (
  <>
    <p class="quiet">No hold is in force. Place one from a program or the command line:</p>
    <pre tabIndex={0}>{`waybill hold place maps --label collection=maps --reason 'the rights are being cleared'`}</pre>
  </>
);
