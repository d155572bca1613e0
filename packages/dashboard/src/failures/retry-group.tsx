import type { FailureGroupView, Waybill } from '@waybill/client';
import { useState } from 'react';
import { CommandForms } from '../actions/command-forms.js';
import { useOffer } from '../actions/offer.js';
import { refresh } from '../app/live.js';
import { RecordedAs } from '../app/recorded-as.js';
import { service } from '../app/service.js';
import { bulkText } from '../tasks/bulk-text.js';
import { Button } from '../ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { ErrorNotice } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';

/** How many tasks try it first, and how many of them must succeed before the others follow. */
const CANARY = { first: 5, goOnIf: 0.8 } as const;

type Group = Pick<FailureGroupView, 'id' | 'failedTasks'>;

/** Retries the failed tasks of a group: five first, the others once four of those have succeeded. The page shows the recovery. */
export function RetryGroup({ group }: { group: Group }) {
  const [isOpen, setOpen] = useState(false);
  if (!useOffer()({ permission: 'operate' })) return null;
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Retry
      </Button>
      {isOpen ? <RetryDialog group={group} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Gives the command once. Its page shows what becomes of it. */
function useStart(give: (waybill: Waybill) => Promise<unknown>, onClose: () => void) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await give(service(undefined));
      onClose();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
    refresh();
  };
  return { error, isBusy, start };
}

function RetryDialog({ group: { id, failedTasks }, onClose }: { group: Group; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [triesFirst, setTriesFirst] = useState(true);
  const selection = { filter: { group: id, state: 'failed' } } as const;
  const options = { reason: reason.trim() || undefined, canary: triesFirst ? CANARY : undefined };
  const give = (waybill: Waybill): Promise<unknown> => waybill.operate('retry', selection, options);
  const { error, isBusy, start } = useStart(give, onClose);
  return (
    <Dialog title="Retry the tasks of this failure" onClose={onClose}>
      <DialogForm onSubmit={() => void start()}>
        <h2>Retry the tasks that are failed with it</h2>
        <p>
          Up to {plural(failedTasks, 'task')} wait for a worker again. Tasks that are no longer failed with it are left
          alone.
        </p>
        <Field
          label="Reason, for the history"
          name="reason"
          autoFocus
          autoComplete="off"
          maxLength={1_024}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <label>
          <input
            type="checkbox"
            name="canary"
            checked={triesFirst}
            onChange={({ target }) => setTriesFirst(target.checked)}
          />{' '}
          Try {CANARY.first} first, and go on if 4 of them succeed
        </label>
        <RecordedAs />
        <CommandForms cli={bulkText({ command: 'retry' }, selection, options)} give={give} />
        {error ? <ErrorNotice error={error} /> : null}
        <DialogFoot>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" kind="primary" disabled={isBusy}>
            Retry
          </Button>
        </DialogFoot>
      </DialogForm>
    </Dialog>
  );
}
