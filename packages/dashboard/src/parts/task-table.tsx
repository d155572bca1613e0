import type { TaskSummary } from '@waybill/client';
import { shortened } from '@waybill/client/words';
import { hashOf } from '../route.js';
import { State, Time } from './state.js';
import { Table, type Title } from './table.js';

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

const TITLES: readonly Title[] = [
  'Task',
  'Queue',
  'State',
  'Key',
  { numbers: 'Attempt' },
  { numbers: 'Done' },
  'Worker',
  'Enqueued',
  'Error',
];

export const TaskTable = ({ tasks, selecting }: TaskTableProps) => (
  <Table about="Tasks" titles={TITLES} before={selecting && <SelectAll rows={tasks.length} selecting={selecting} />}>
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
          {task.deadlineAt ? (
            <div class="quiet">
              {task.deadlineMissed ? 'missed its deadline' : 'deadline'} <Time at={task.deadlineAt} />
            </div>
          ) : null}
        </td>
        <td class="text" title={task.error?.message}>
          {task.error && shortened(`${task.error.class}: ${task.error.message}`, 80)}
        </td>
      </tr>
    ))}
  </Table>
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
