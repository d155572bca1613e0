import type { TaskSummary } from '@waybill/client';
import { shortened } from '@waybill/client/words';
import { hashOf } from '../route.js';
import { State, Time } from './state.js';
import { Wide } from './wide.js';

export const TaskTable = ({ tasks }: { tasks: readonly TaskSummary[] }) => (
  <Wide about="Tasks">
    <table>
      <thead>
        <tr>
          <th scope="col">Task</th>
          <th scope="col">Queue</th>
          <th scope="col">State</th>
          <th scope="col">Key</th>
          <th scope="col" class="number">
            Attempt
          </th>
          <th scope="col" class="number">
            Done
          </th>
          <th scope="col">Worker</th>
          <th scope="col">Enqueued</th>
          <th scope="col">Error</th>
        </tr>
      </thead>
      <tbody>
        {tasks.map((task) => (
          <tr key={task.id}>
            <th scope="row">
              <a class="id" href={hashOf({ page: 'task', id: task.id })}>
                {task.id}
              </a>
              {task.reference === null ? null : <div title={task.reference}>{shortened(task.reference, 40)}</div>}
            </th>
            <td>{task.queue}</td>
            <td>
              <State state={task.state} name={task.stateName} />{' '}
              {task.waitingFor && task.waitingFor !== 'worker' ? <span class="quiet">{task.waitingFor}</span> : null}
            </td>
            <td title={task.key ?? undefined}>{task.key && shortened(task.key, 40)}</td>
            <td class="number">{task.attempt}</td>
            <td class="number">{task.percent === null ? null : `${task.percent} %`}</td>
            <td title={task.lastHeartbeatAt ? `last heartbeat ${task.lastHeartbeatAt}` : undefined}>{task.worker}</td>
            <td>
              <Time at={task.enqueuedAt} />
            </td>
            <td class="text" title={task.error?.message}>
              {task.error && shortened(`${task.error.class}: ${task.error.message}`, 80)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Wide>
);
