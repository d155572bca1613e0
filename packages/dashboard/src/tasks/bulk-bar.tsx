import { useState } from 'react';
import { Button, Buttons } from '../ui/button.js';
import { plural } from '../ui/numbers.js';
import css from './bulk-bar.module.css';
import { BULK_COMMANDS, type BulkCommand } from './bulk-commands.js';
import { BulkDialog } from './bulk-dialog.js';
import { selectionOf } from './bulk-order.js';
import type { ListedTasks } from './listed-tasks.js';

interface BulkBarProps {
  readonly listed: ListedTasks;
  readonly selection: { readonly keys: readonly string[]; readonly clear: () => void };
  /** Whether more tasks match than are shown. */
  readonly hasMore: boolean;
}

/** What can be done to the chosen tasks, or to all that match, also those that are not shown. */
export function BulkBar({ listed, selection: { keys, clear }, hasMore }: BulkBarProps) {
  const [command, choose] = useState<BulkCommand | null>(null);
  const [isAll, setAll] = useState(false);
  if (keys.length === 0 && !isAll) return null;
  const clearAll = (): void => {
    clear();
    setAll(false);
  };
  return (
    <div className={css.bar} role="group" aria-label="Selected tasks">
      <b role="status">{isAll ? 'All tasks that match, also those that are not shown' : plural(keys.length, 'task')}</b>
      {hasMore || isAll ? (
        <Button kind="bare" onClick={() => setAll(!isAll)}>
          {isAll ? 'Only the selected' : 'All that match'}
        </Button>
      ) : null}
      <Buttons>
        {BULK_COMMANDS.map((one) => (
          <Button key={one.command} kind={one.kind} onClick={() => choose(one)}>
            {one.name}
          </Button>
        ))}
      </Buttons>
      <Button kind="bare" onClick={clearAll}>
        Clear
      </Button>
      {command ? (
        <BulkDialog
          command={command}
          selection={selectionOf(listed, isAll ? 'all' : keys)}
          onClose={() => choose(null)}
        />
      ) : null}
    </div>
  );
}
