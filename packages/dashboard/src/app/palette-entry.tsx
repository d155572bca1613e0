import type { BatchView, FailureGroupSummary, OperationView, TaskSummary } from '@waybill/client';
import type { useNavigate } from '@tanstack/react-router';
import { Boxes, CalendarClock, Layers, ListTodo, type LucideIcon, OctagonAlert, Rows3 } from 'lucide-react';
import type { ReactNode } from 'react';
import { groupTitle } from '../failures/group-title.js';
import { titleOf as operationTitle } from '../operations/operation-title.js';
import { titleOf as taskTitle } from '../tasks/task-title.js';
import { Pill } from '../ui/pill.js';
import { ShortId } from '../ui/short-id.js';
import css from './palette.module.css';
import type { NamedCommand } from './palette-commands.js';
import type { PageLink } from './pages.js';

/** What of the palette is chosen. */
export interface Entry {
  /** Of what it opens: two that open the same are one. */
  readonly key: string;
  readonly group: 'Tasks' | 'Batches' | 'This page' | 'Recent' | 'Pages' | 'Queues' | 'Commands' | 'Search';
  readonly shows: ReactNode;
  /** Goes there; a command is asked about first. */
  readonly open: () => void | NamedCommand;
}

/** What can be told from its own name. */
export interface NamedEntry extends Entry {
  readonly name: string;
}

type Go = ReturnType<typeof useNavigate>;

export const taskEntry = (task: TaskSummary, go: Go): NamedEntry => ({
  key: `task ${task.id}`,
  group: 'Tasks',
  name: taskTitle(task),
  shows: (
    <Named icon={ListTodo} name={taskTitle(task)} hint={<Of what={task.queue} id={task.id} />}>
      <Pill state={task.state} />
    </Named>
  ),
  open: () => void go({ to: '/tasks/$id', params: { id: task.id } }),
});

export const batchEntry = ({ id, name, state }: BatchView, go: Go): NamedEntry => ({
  key: `batch ${id}`,
  group: 'Batches',
  name,
  shows: (
    <Named icon={Boxes} name={name} hint={<Of what="batch" id={id} />}>
      <Pill state={state} />
    </Named>
  ),
  open: () => void go({ to: '/batches/$id', params: { id } }),
});

export const queueEntry = (queue: string, go: Go): NamedEntry => ({
  key: `queue ${queue}`,
  group: 'Queues',
  name: queue,
  shows: <Named icon={Rows3} name={queue} />,
  open: () => void go({ to: '/queues/$queue', params: { queue } }),
});

export const pageEntry = ({ to, name, icon, key }: PageLink, go: Go): NamedEntry => ({
  key: `page ${to}`,
  group: 'Pages',
  name,
  shows: <Named icon={icon} name={name} hint={`g ${key}`} />,
  open: () => void go({ to }),
});

export const failureEntry = (group: FailureGroupSummary, go: Go): NamedEntry => ({
  key: `failure ${group.id}`,
  group: 'Recent',
  name: groupTitle(group),
  shows: <Named icon={OctagonAlert} name={groupTitle(group)} hint="failure" />,
  open: () => void go({ to: '/failures/$group', params: { group: group.id } }),
});

export const operationEntry = (operation: OperationView, go: Go): NamedEntry => ({
  key: `operation ${operation.id}`,
  group: 'Recent',
  name: operationTitle(operation),
  shows: (
    <Named icon={Layers} name={operationTitle(operation)} hint={<Of what="operation" id={operation.id} />}>
      <Pill state={operation.state} />
    </Named>
  ),
  open: () => void go({ to: '/operations/$id', params: { id: operation.id } }),
});

export const triggerEntry = (trigger: string, go: Go): NamedEntry => ({
  key: `trigger ${trigger}`,
  group: 'Recent',
  name: trigger,
  shows: <Named icon={CalendarClock} name={trigger} hint="trigger" />,
  open: () => void go({ to: '/triggers/$trigger', params: { trigger } }),
});

interface NamedProps {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly hint?: ReactNode;
  readonly children?: ReactNode;
}

const Named = ({ icon: Icon, name, hint, children }: NamedProps) => (
  <>
    <Icon aria-hidden="true" /> <span className={css.name}>{name}</span> {children}
    {hint ? <span className={css.hint}>{hint}</span> : null}
  </>
);

const Of = ({ what, id }: { what: string; id: string }) => (
  <>
    {what} <ShortId id={id} />
  </>
);
