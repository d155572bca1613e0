import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Search, Zap } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ActionDialog } from '../actions/action-dialog.js';
import { Dialog } from '../ui/dialog.js';
import { useOpenPages } from './me.js';
import css from './palette.module.css';
import { commandsOfPage, type NamedCommand, useCommands } from './palette-commands.js';
import { batchEntry, type Entry, type NamedEntry, pageEntry, queueEntry, taskEntry } from './palette-entry.js';
import { useVisited } from './palette-visits.js';
import { useFoundBatches, useFoundTasks, useQueueNames } from './palette.queries.js';
import { SEARCHES_FOR, type SearchProps } from './search-props.js';

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

const GROUPS: readonly Entry['group'][] = [
  'Tasks',
  'Batches',
  'This page',
  'Recent',
  'Pages',
  'Queues',
  'Commands',
  'Search',
];

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

/** The most that are shown of those that match. */
const MOST_VISITED = 6;
const MOST_QUEUES = 8;

/** What has the name, the most particular first, each once. */
function useEntries(typed: string): Entry[] {
  const go = useNavigate();
  const { data: queues = [] } = useQueueNames();
  const visited = useVisited(queues);
  const commands = useCommands(typed);
  const { data: tasks = [] } = useFoundTasks(typed);
  const { data: batches = [] } = useFoundBatches(typed);
  const pages = useOpenPages();
  const entries: Entry[] = [
    ...tasks.map((task) => taskEntry(task, go)),
    ...batches.map((batch) => batchEntry(batch, go)),
    ...commandsOfPage(typed).map((command) => commandEntry('This page', command)),
    ...named(visited, typed)
      .slice(0, MOST_VISITED)
      .map((entry) => ({ ...entry, group: 'Recent' as const })),
    ...named(
      pages.map((page) => pageEntry(page, go)),
      typed,
    ),
    ...named(
      queues.map((queue) => queueEntry(queue, go)),
      typed,
    ).slice(0, MOST_QUEUES),
    ...commands.map((command) => commandEntry('Commands', command)),
    ...(typed === '' ? [] : [searchFor(typed, () => void go({ to: '/tasks', search: { q: typed } }))]),
  ];
  const keys = entries.map(({ key }) => key);
  return entries.filter(({ key }, at) => keys.indexOf(key) === at);
}

/** What has the typed text in its name: what begins with it first. */
function named(all: readonly NamedEntry[], typed: string): NamedEntry[] {
  const text = typed.toLowerCase();
  const at = ({ name }: NamedEntry): number => name.toLowerCase().indexOf(text);
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
