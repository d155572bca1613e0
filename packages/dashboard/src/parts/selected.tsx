import { plural } from '@waybill/client/words';
import { useState } from 'preact/hooks';
import type { TaskFilter } from '@waybill/client';
import { BULK_COMMANDS, type BulkCommand, countMatching, startBulk, type Subject } from '../bulk.js';
import { EVERYTHING, NOTHING, type Selection } from '../selection.js';
import { type Action, Actions } from './action.js';
import { BulkOperation } from './bulk-operation.js';

interface SelectedProps {
  readonly selection: Selection;
  /** The rows that are both shown and selected. */
  readonly ids: readonly string[];
  /** What the tasks of the list have in common. */
  readonly filter: TaskFilter;
  /** Whether more tasks match than are shown. */
  readonly hasMore: boolean;
  readonly onSelect: (selection: Selection) => void;
  readonly onDone: () => void;
}

/** What is selected, and the commands for it. A command for many tasks is an operation with a page of its own. */
export function Selected({ selection, ids, filter, hasMore, onSelect, onDone }: SelectedProps) {
  const [started, setStarted] = useState<string | null>(null);
  const subject = selection.isAll ? { filter } : { tasks: ids };
  const actions = ids.length === 0 ? [] : BULK_COMMANDS.map((command) => actionOf(command, subject, setStarted));
  return (
    <section class="selected" aria-label="Selected tasks">
      <p role="status">{inWords(selection, ids.length)}</p>
      {ids.length === 0 ? null : (
        <p class="buttons">
          {selection.isAll || !hasMore ? null : (
            <button type="button" onClick={() => onSelect(EVERYTHING)}>
              Select all that match
            </button>
          )}
          <button type="button" onClick={() => onSelect(NOTHING)}>
            Select none
          </button>
        </p>
      )}
      <Actions of="the selected tasks" actions={actions} onDone={onDone} />
      {started === null ? null : <BulkOperation key={started} id={started} />}
    </section>
  );
}

function inWords(selection: Selection, selected: number): string {
  if (selection.isAll) return 'All tasks that match are selected, also those that are not shown.';
  return selected === 0 ? 'No task is selected.' : `${plural(selected, 'task')} selected.`;
}

const actionOf = (command: BulkCommand, subject: Subject, onStarted: (id: string) => void): Action => ({
  ...command,
  preview: async () => `${plural(await countMatching(command, subject), 'task')} selected.`,
  run: async (reason, number) => onStarted(await startBulk(command, subject, { reason, priority: number })),
});
