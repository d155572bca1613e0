import type { BulkOperationRequest, TaskSelection } from '@waybill/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { service } from '../app/service.js';
import { Button, type ButtonKind } from '../ui/button.js';
import { CodeBlock } from '../ui/code-block.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { ErrorNotice } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';
import { Preview } from './preview.js';
import { Shown } from '../ui/shown.js';

export interface BulkCommand {
  readonly command: BulkOperationRequest['command'];
  readonly name: string;
  readonly kind?: ButtonKind;
}

export const BULK_COMMANDS: readonly BulkCommand[] = [
  { command: 'retry', name: 'Retry' },
  { command: 'hold', name: 'Hold' },
  { command: 'release', name: 'Release' },
  { command: 'cancel', name: 'Cancel' },
  { command: 'abort', name: 'Abort', kind: 'danger' },
  { command: 'delete', name: 'Delete', kind: 'danger' },
];

interface BulkDialogProps {
  readonly command: BulkCommand;
  readonly selection: TaskSelection;
  readonly q: string;
  readonly onClose: () => void;
}

/** Tries the command first, and says what would become of the tasks. Those that change from then on are left alone. */
export function BulkDialog({ command: { command, name, kind }, selection, q, onClose }: BulkDialogProps) {
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>(null);
  const preview = useQuery({
    queryKey: ['preview', command, selection],
    queryFn: () => service(undefined).operate(command, selection, { preview: 'decided' }),
    gcTime: 0,
    retry: false,
  });
  const start = async (typed: FormData): Promise<void> => {
    try {
      const reason = String(typed.get('reason')).trim() || undefined;
      const asPreviewed = preview.data?.preview?.position;
      const { id } = await service(undefined).operate(command, selection, { reason, asPreviewed });
      onClose();
      if (id) void navigate({ to: '/operations/$id', params: { id } });
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog title={`${name} many tasks`} onClose={onClose}>
      <DialogForm onSubmit={(typed) => void start(typed)}>
        <h2>
          {name} {preview.data ? plural(preview.data.count, 'task') : 'tasks'}
        </h2>
        <Shown of={preview} lines={2}>
          {(started) => <Preview started={started} />}
        </Shown>
        <Field label="Reason, for the history" name="reason" autoFocus autoComplete="off" maxLength={1_024} />
        <CodeBlock text={cliOf(command, selection, q)} about="The same command for a terminal" />
        {error ? <ErrorNotice error={error} /> : null}
        <DialogFoot>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" kind={kind ?? 'primary'} disabled={!preview.data}>
            {name}
          </Button>
        </DialogFoot>
      </DialogForm>
    </Dialog>
  );
}

/** The most ids that fit on a line. */
const SHOWN_IDS = 2;

function cliOf(command: string, selection: TaskSelection, q: string): string {
  if (!('tasks' in selection)) return `npx waybill task ${command} --filter 'q=${q}'`;
  const rest = selection.tasks.length > SHOWN_IDS ? ' …' : '';
  return `npx waybill task ${command} ${selection.tasks.slice(0, SHOWN_IDS).join(' ')}${rest}`;
}
