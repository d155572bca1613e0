import { useState } from 'react';
import { useMoment } from '../time/moment.js';
import { Button, Buttons } from '../ui/button.js';
import { plural } from '../ui/numbers.js';
import css from './bulk-bar.module.css';
import { BULK_COMMANDS, type BulkCommand, BulkDialog } from './bulk-dialog.js';

interface BulkBarProps {
  /** The search, for a command to all that match. */
  readonly q: string;
  readonly selection: { readonly keys: readonly string[]; readonly clear: () => void };
}

/** The most tasks that a command takes by their ids. */
const MOST_IDS = 500;

/** What can be done to the chosen tasks, or to all that match. */
export function BulkBar({ q, selection: { keys, clear } }: BulkBarProps) {
  const [command, choose] = useState<BulkCommand | null>(null);
  const [isAll, setAll] = useState(false);
  const isPast = useMoment() !== undefined;
  if (isPast || (keys.length === 0 && !isAll)) return null;
  const selected = isAll ? { filter: { q } } : { tasks: keys.slice(0, MOST_IDS) };
  return (
    <div className={css.bar} role="group" aria-label="Selected tasks">
      <b>{isAll ? 'All that match' : plural(keys.length, 'task')}</b>
      <Button kind="bare" onClick={() => setAll(!isAll)} disabled={q === ''}>
        {isAll ? 'Only the selected' : 'All that match'}
      </Button>
      <Buttons>
        {BULK_COMMANDS.map((one) => (
          <Button key={one.command} kind={one.kind} onClick={() => choose(one)}>
            {one.name}
          </Button>
        ))}
      </Buttons>
      <Button
        kind="bare"
        onClick={() => {
          clear();
          setAll(false);
        }}
      >
        Clear
      </Button>
      {command ? <BulkDialog command={command} selection={selected} q={q} onClose={() => choose(null)} /> : null}
    </div>
  );
}
