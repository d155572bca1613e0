import type { FailureGroupView, Waybill } from '@waybill/client';
import { useState } from 'react';
import { CommandForms } from '../actions/command-forms.js';
import { useGiving } from '../actions/giving.js';
import { useOffer } from '../actions/offer.js';
import { ReasonField } from '../actions/reason-field.js';
import { RecordedAs } from '../app/recorded-as.js';
import { bulkText } from '../tasks/bulk-text.js';
import { ENOUGH } from '../tasks/pace-fields.js';
import { Button } from '../ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Check } from '../ui/field.js';
import { ErrorNotice } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';

/** How many tasks try it first, and how many of them must succeed before the others follow. */
const CANARY = { first: 5, goOnIf: ENOUGH } as const;

type Group = Pick<FailureGroupView, 'id' | 'failedTasks' | 'failedNow'>;

/** Retries the failed tasks of a group: five first, the others once four of those have succeeded. The page shows the recovery. Nothing if none is failed. */
export function RetryGroup({ group }: { group: Group }) {
  const [isOpen, setOpen] = useState(false);
  if (!useOffer()({ permission: 'operate' }) || group.failedNow === 0) return null;
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        Retry
      </Button>
      {isOpen ? <RetryDialog group={group} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function RetryDialog({ group: { id, failedTasks, failedNow }, onClose }: { group: Group; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [triesFirst, setTriesFirst] = useState(true);
  const selection = { filter: { group: id, state: 'failed' } } as const;
  const options = { reason: reason.trim() || undefined, canary: triesFirst ? CANARY : undefined };
  const give = (waybill: Waybill): Promise<unknown> => waybill.operate('retry', selection, options);
  const giving = useGiving(onClose);
  return (
    <Dialog title="Retry the tasks of this failure" onClose={onClose}>
      <DialogForm onSubmit={() => void giving.give(give)}>
        <h2>Retry the tasks that are failed with it</h2>
        <p>
          {plural(failedNow ?? failedTasks, 'task')} wait for a worker again. Tasks that are no longer failed with it
          are left alone.
        </p>
        <ReasonField hasFocus value={reason} onTyped={setReason} />
        <Check
          label={`Try ${CANARY.first} first, and go on if ${CANARY.first * ENOUGH} of them succeed`}
          name="canary"
          checked={triesFirst}
          onChange={({ target }) => setTriesFirst(target.checked)}
        />
        <RecordedAs />
        <CommandForms cli={bulkText({ command: 'retry' }, selection, options)} give={give} />
        {giving.error ? <ErrorNotice error={giving.error} /> : null}
        <DialogFoot>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" kind="primary" disabled={giving.isBusy}>
            Retry
          </Button>
        </DialogFoot>
      </DialogForm>
    </Dialog>
  );
}
