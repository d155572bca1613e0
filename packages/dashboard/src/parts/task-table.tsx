import type { TaskSummary } from '@waybill/client';
import { shortened } from '@waybill/client/words';
import { hashOf } from '../route.js';
import { State, Time } from './state.js';
import { Wide } from './wide.js';

/** Which rows are selected. */
export interface Selecting {
  readonly ids: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
  readonly onToggleAll: () => void;
}

interface TaskTableProps {
  readonly tasks: readonly TaskSummary[];
  /** Lets people select rows. */
  readonly selecting?: Selecting;
}

export const TaskTable = ({ tasks, selecting }: TaskTableProps) => (
  <Wide about="Tasks">
    <table>
      <thead>
        <tr>
          {selecting ? <SelectAll rows={tasks.length} selecting={selecting} /> : null}
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
            {selecting ? <Select id={task.id} selecting={selecting} /> : null}
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

const SelectAll = ({ rows, selecting: { ids, onToggleAll } }: { rows: number; selecting: Selecting }) => (
  <td>
    <input
      type="checkbox"
      aria-label="Select all shown tasks"
      checked={ids.size === rows}
      // HTML has no attribute for it.
      ref={(box) => {
        if (box) box.indeterminate = ids.size > 0 && ids.size < rows;
      }}
      onClick={onToggleAll}
    />
  </td>
);

const Select = ({ id, selecting: { ids, onToggle } }: { id: string; selecting: Selecting }) => (
  <td>
    <input type="checkbox" aria-label={`Select task ${id}`} checked={ids.has(id)} onClick={() => onToggle(id)} />
  </td>
);
