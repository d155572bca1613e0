import type { BatchView } from '@waybill/client';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Boxes, ListTodo, Rows3, Search, Zap } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ActionDialog } from '../actions/action-dialog.js';
import { titleOf } from '../tasks/task-title.js';
import { Dialog } from '../ui/dialog.js';
import { Pill } from '../ui/pill.js';
import { ShortId } from '../ui/short-id.js';
import { useOpenPages } from './me.js';
import css from './palette.module.css';
import { commandsOfPage, type NamedCommand, useCommands } from './palette-commands.js';
import { useFoundBatches, useFoundTasks, useQueueNames } from './palette.queries.js';
import { SEARCHES_FOR, type SearchProps } from './search-props.js';

interface Entry {
  readonly key: string;
  readonly group: 'This page' | 'Tasks' | 'Batches' | 'Pages' | 'Queues' | 'Commands' | 'Search';
  readonly shows: ReactNode;
  /** Goes there; a command is asked about first. */
  readonly open: () => void | NamedCommand;
}

/** Goes to anything that has a name: a page, a queue, a command, a batch by its name, a task by its reference or key, both by id or its last 8 characters. */
export function Palette({ typed, onTyped, onClose }: SearchProps) {
  const entries = useEntries(typed.trim());
  const [picked, pick] = useState({ first: '', key: '' });
  const first = entries[0]?.key ?? '';
  // Tasks are found later than what the browser knows, and are what somebody who pastes an id means: what was picked before is not.
  const chosen = picked.first === first ? picked.key : first;
  const [command, ask] = useState<NamedCommand | null>(null);
  const input = useRef<HTMLInputElement>(null);
  // Not `autoFocus`: that comes before the dialog is shown, which then gives the focus to the box around the input.
  useEffect(() => input.current?.focus(), []);
  if (command) return <ActionDialog {...command} onClose={onClose} />;
  const go = ({ open }: Entry): void => {
    const asked = open();
    if (asked) ask(asked);
    else onClose();
  };
  return (
    <Dialog title="Search" onClose={onClose}>
      <Command
        className={css.box}
        label="Search"
        loop
        shouldFilter={false}
        value={chosen}
        onValueChange={(key) => pick({ first, key })}
      >
        <Command.Input ref={input} value={typed} onValueChange={onTyped} placeholder={SEARCHES_FOR} />
        <Command.List className={css.list}>
          <Command.Empty className={css.empty}>Nothing has this name.</Command.Empty>
          {GROUPS.map((group) => (
            <EntryGroup key={group} group={group} entries={entries} onChoose={go} />
          ))}
        </Command.List>
        <p className={css.foot}>
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> to move
          </span>
          <span>
            <kbd>↵</kbd> to open
          </span>
          <span>
            <kbd>Esc</kbd> to close
          </span>
        </p>
      </Command>
    </Dialog>
  );
}

const GROUPS: readonly Entry['group'][] = ['Tasks', 'Batches', 'This page', 'Pages', 'Queues', 'Commands', 'Search'];

interface EntryGroupProps {
  readonly group: Entry['group'];
  readonly entries: readonly Entry[];
  readonly onChoose: (entry: Entry) => void;
}

function EntryGroup({ group, entries, onChoose }: EntryGroupProps) {
  const own = entries.filter((entry) => entry.group === group);
  if (own.length === 0) return null;
  return (
    <Command.Group heading={group}>
      {own.map((entry) => (
        <Command.Item key={entry.key} value={entry.key} onSelect={() => onChoose(entry)}>
          {entry.shows}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

/** The most queues that are shown of those that match. */
const MOST_QUEUES = 8;

/** What has the name, the most particular first. */
function useEntries(typed: string): Entry[] {
  const navigate = useNavigate();
  const { data: queues = [] } = useQueueNames();
  const commands = useCommands(typed);
  const { data: tasks = [] } = useFoundTasks(typed);
  const { data: batches = [] } = useFoundBatches(typed);
  const pages = useOpenPages();
  const here = commandsOfPage(typed).map((command) => commandEntry('This page', command));
  const said = new Set(here.map(({ key }) => key));
  return [
    ...tasks.map((task) => ({
      key: `task ${task.id}`,
      group: 'Tasks' as const,
      shows: <TaskEntry task={task} />,
      open: () => void navigate({ to: '/tasks/$id', params: { id: task.id } }),
    })),
    ...batches.map((batch) => ({
      key: `batch ${batch.id}`,
      group: 'Batches' as const,
      shows: <BatchEntry batch={batch} />,
      open: () => void navigate({ to: '/batches/$id', params: { id: batch.id } }),
    })),
    ...here,
    ...named(pages, ({ name }) => name, typed).map(({ to, name, icon: Icon, key }) => ({
      key: `page ${to}`,
      group: 'Pages' as const,
      shows: (
        <>
          <Icon aria-hidden="true" /> {name} <span className={css.hint}>g {key}</span>
        </>
      ),
      open: () => void navigate({ to }),
    })),
    ...named(queues, (name) => name, typed)
      .slice(0, MOST_QUEUES)
      .map((queue) => ({
        key: `queue ${queue}`,
        group: 'Queues' as const,
        shows: (
          <>
            <Rows3 aria-hidden="true" /> {queue}
          </>
        ),
        open: () => void navigate({ to: '/queues/$queue', params: { queue } }),
      })),
    ...commands.map((command) => commandEntry('Commands', command)).filter(({ key }) => !said.has(key)),
    ...(typed === '' ? [] : [searchFor(typed, () => void navigate({ to: '/tasks', search: { q: typed } }))]),
  ];
}

/** What has the typed text in its name: what begins with it first. */
function named<T>(all: readonly T[], nameOf: (one: T) => string, typed: string): T[] {
  const text = typed.toLowerCase();
  const at = (one: T): number => nameOf(one).toLowerCase().indexOf(text);
  return all.filter((one) => at(one) >= 0).toSorted((one, other) => Math.sign(at(one)) - Math.sign(at(other)));
}

const commandEntry = (group: Entry['group'], command: NamedCommand): Entry => ({
  key: `command ${command.action.name} ${command.subject}`,
  group,
  shows: (
    <>
      <Zap aria-hidden="true" /> {command.action.name} <span className={css.subject}>{command.subject}</span>
    </>
  ),
  open: () => command,
});

const searchFor = (typed: string, open: () => void): Entry => ({
  key: 'search',
  group: 'Search',
  shows: (
    <>
      <Search aria-hidden="true" /> Search tasks for “{typed}”
    </>
  ),
  open,
});

const BatchEntry = ({ batch: { id, name, state } }: { batch: BatchView }) => (
  <>
    <Boxes aria-hidden="true" /> {name} <Pill state={state} />
    <span className={css.hint}>
      batch <ShortId id={id} />
    </span>
  </>
);

const TaskEntry = ({ task }: { task: NonNullable<ReturnType<typeof useFoundTasks>['data']>[number] }) => (
  <>
    <ListTodo aria-hidden="true" /> {titleOf(task)} <Pill state={task.state} />
    <span className={css.hint}>
      {task.queue} <ShortId id={task.id} />
    </span>
  </>
);
