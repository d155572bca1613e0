import type { FailureGroupView } from '@waybill/client';
import { useState } from 'react';
import { useOffer } from '../actions/offer.js';
import { refresh } from '../app/live.js';
import { RecordedAs } from '../app/recorded-as.js';
import { service } from '../app/service.js';
import { Button } from '../ui/button.js';
import { CodeBlock } from '../ui/code-block.js';
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

function RetryDialog({ group: { id, failedTasks }, onClose }: { group: Group; onClose: () => void }) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const start = async (typed: FormData): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const reason = String(typed.get('reason')).trim() || undefined;
      const canary = typed.get('canary') ? CANARY : undefined;
      await service(undefined).operate('retry', { filter: { group: id, state: 'failed' } }, { reason, canary });
      onClose();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
    refresh();
  };
  return (
    <Dialog title="Retry the tasks of this failure" onClose={onClose}>
      <DialogForm onSubmit={(typed) => void start(typed)}>
        <h2>Retry the tasks that are failed with it</h2>
        <Asked group={id} failedTasks={failedTasks} />
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

const Asked = ({ group, failedTasks }: { group: string; failedTasks: number }) => (
  <>
    <p>
      Up to {plural(failedTasks, 'task')} wait for a worker again. Tasks that are no longer failed with it are left
      alone.
    </p>
    <Field label="Reason, for the history" name="reason" autoFocus autoComplete="off" maxLength={1_024} />
    <label>
      <input type="checkbox" name="canary" defaultChecked /> Try {CANARY.first} first, and go on if 4 of them succeed
    </label>
    <RecordedAs />
    <CodeBlock
      text={`npx waybill task retry --filter group=${group} --canary ${CANARY.first}`}
      about="The same command for a terminal"
    />
  </>
);
