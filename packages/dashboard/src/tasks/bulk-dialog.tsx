import type { TaskSelection } from '@waybill/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CommandForms } from '../actions/command-forms.js';
import { useGiving } from '../actions/giving.js';
import { ReasonField } from '../actions/reason-field.js';
import { RecordedAs } from '../app/recorded-as.js';
import { service } from '../app/service.js';
import { Button } from '../ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { ErrorNotice } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';
import { Shown } from '../ui/shown.js';
import type { BulkCommand } from './bulk-commands.js';
import { optionsOf } from './bulk-order.js';
import { bulkText } from './bulk-text.js';
import { type Pace, PaceFields } from './pace-fields.js';
import { Preview } from './preview.js';

interface BulkDialogProps {
  readonly command: BulkCommand;
  readonly selection: TaskSelection;
  readonly onClose: () => void;
}

/** Tries the command first, and says what would become of the tasks. Those that change from then on are left alone. */
export function BulkDialog({ command: of, selection, onClose }: BulkDialogProps) {
  const { command, name, about, kind, hasPriority = false } = of;
  const [reason, setReason] = useState('');
  const [priority, setPriority] = useState('0');
  const [pace, setPace] = useState<Pace>({ perSecond: '', canary: '' });
  const preview = usePreview(of, selection);
  const options = optionsOf(of, selection, { reason, priority, pace });
  const navigate = useNavigate();
  const giving = useGiving((started) => {
    onClose();
    const { id } = started as { readonly id: string | null };
    if (id) void navigate({ to: '/operations/$id', params: { id } });
  });
  const asPreviewed = preview.data?.preview?.position;
  return (
    <Dialog title={`${name} many tasks`} onClose={onClose}>
      <DialogForm
        onSubmit={() => void giving.give((waybill) => waybill.operate(command, selection, { ...options, asPreviewed }))}
      >
        <h2>
          {name} {preview.data ? plural(preview.data.count, 'task') : 'tasks'}
        </h2>
        <p>{about}</p>
        <Shown of={preview} lines={2}>
          {(started) => <Preview started={started} />}
        </Shown>
        {hasPriority ? <PriorityField value={priority} onTyped={setPriority} /> : null}
        <ReasonField hasFocus={!hasPriority} value={reason} onTyped={setReason} />
        {'filter' in selection ? (
          <PaceFields pace={pace} canTryFirst={TRIED_FIRST.has(command)} onTyped={setPace} />
        ) : null}
        <RecordedAs />
        <CommandForms
          cli={bulkText(of, selection, options)}
          give={(waybill) => waybill.operate(command, selection, options)}
        />
        {giving.error ? <ErrorNotice error={giving.error} /> : null}
        <DialogFoot>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" kind={kind ?? 'primary'} disabled={!preview.data || giving.isBusy}>
            {name}
          </Button>
        </DialogFoot>
      </DialogForm>
    </Dialog>
  );
}

function PriorityField({ value, onTyped }: { readonly value: string; readonly onTyped: (value: string) => void }) {
  return (
    <Field
      label="Priority"
      name="priority"
      type="number"
      step={1}
      required
      autoFocus
      value={value}
      onChange={(event) => onTyped(event.target.value)}
    />
  );
}

/** Commands after which tasks run, so that their ends say whether to go on. */
const TRIED_FIRST: ReadonlySet<string> = new Set(['retry', 'release']);

const usePreview = ({ command, hasPriority = false }: BulkCommand, selection: TaskSelection) =>
  useQuery({
    queryKey: ['preview', command, selection],
    queryFn: () =>
      service(undefined).operate(command, selection, { preview: 'decided', ...(hasPriority && { priority: 0 }) }),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
