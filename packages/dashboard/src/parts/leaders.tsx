import type { LeaderView, SystemView } from '@waybill/client';
import { age } from '@waybill/client/words';
import { State, Time } from './state.js';
import { Table } from './table.js';

const TITLES = ['Role', 'State', 'Process', 'Since', 'Last round'];

/** Which process leads each role, and how long ago any process swept. */
export const Leaders = ({ leaders, lastSweepSeconds }: Pick<SystemView, 'leaders' | 'lastSweepSeconds'>) => (
  <>
    <h1>Leaders</h1>
    <p class="quiet">
      {lastSweepSeconds === null
        ? 'No process has swept yet.'
        : `A process swept ${age(lastSweepSeconds * 1_000)} ago.`}
    </p>
    {leaders.length > 0 && <LeaderTable leaders={leaders} />}
  </>
);

const LeaderTable = ({ leaders }: { leaders: readonly LeaderView[] }) => (
  <Table about="Leaders" titles={TITLES}>
    {leaders.map(({ role, state, process, since, workedSeconds }) => (
      <tr key={role}>
        <th scope="row">{role}</th>
        <td>
          <State state={state === 'leading' ? 'active' : 'failed'} name={state} />
        </td>
        <td>{process}</td>
        <td>
          <Time at={since} />
        </td>
        <td>{workedSeconds === null ? '-' : `${age(workedSeconds * 1_000)} ago`}</td>
      </tr>
    ))}
  </Table>
);
