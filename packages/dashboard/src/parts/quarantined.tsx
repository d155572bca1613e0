import type { QuarantinedTask, SystemView } from '@waybill/client';
import { plural } from '@waybill/client/words';
import { hashOf } from '../route.js';
import { State, Time } from './state.js';
import { Table } from './table.js';

const TITLES = ['Task', 'Queue', 'State', 'Since', 'Read again', 'Position', 'Why'];

/** The tasks whose histories cannot be read, so that they are put aside; nothing if there are none. */
export const Quarantined = ({ quarantined, quarantinedTasks }: Pick<SystemView, 'quarantined' | 'quarantinedTasks'>) =>
  quarantined === 0 ? null : (
    <>
      <h1>Quarantine</h1>
      <p>
        {plural(quarantined, 'task')} cannot be read by this build.
        {quarantined > quarantinedTasks.length ? ` These are the first ${quarantinedTasks.length}.` : ''}
      </p>
      <Table about="Quarantine" titles={TITLES}>
        {quarantinedTasks.map((task) => (
          <Row key={task.taskId} {...task} />
        ))}
      </Table>
    </>
  );

const Row = ({ taskId, queue, state, since, until, position, reason }: QuarantinedTask) => (
  <tr>
    <th scope="row">
      <a class="id" href={hashOf({ page: 'task', id: taskId })}>
        {taskId}
      </a>
    </th>
    <td>{queue ?? '-'}</td>
    <td>{state === null ? '-' : <State state={state} />}</td>
    <td>
      <Time at={since} />
    </td>
    <td>{until === null ? 'when a service starts' : <Time at={until} />}</td>
    <td>{position ?? '-'}</td>
    <td>{reason}</td>
  </tr>
);
