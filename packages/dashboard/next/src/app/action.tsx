import { type Waybill, WaybillError } from '@waybill/client';
import { useState } from 'react';
import { useMoment } from '../time/moment.js';
import { Button, type ButtonKind, Buttons } from '../ui/button.js';
import { CodeBlock } from '../ui/code-block.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { ErrorNotice } from '../ui/notice.js';
import { refresh } from './live.js';
import { service } from './service.js';

/** A command that a person can give. */
export interface Action {
  /** The name on the button, such as `Pause`. */
  readonly name: string;
  readonly kind?: ButtonKind;
  /** What it does, in a sentence. */
  readonly about: string;
  /** The same command for a terminal, without the reason. */
  readonly cli: string;
  readonly run: (waybill: Waybill, reason: string | undefined) => Promise<unknown>;
}

interface ActionsProps {
  /** What they are done to, such as `queue mail`. */
  readonly subject: string;
  readonly actions: readonly Action[];
}

/**
 * Buttons, and a dialog that explains a command before it is given; none in the past, which nobody changes. A chosen command
 * stays in the dialog even if the service no longer offers it: a button must not change under the pointer.
 */
export function Actions({ subject, actions }: ActionsProps) {
  const [chosen, choose] = useState<Action | null>(null);
  if (useMoment() !== undefined) return null;
  return (
    <>
      <Buttons>
        {actions.map((action) => (
          <Button key={action.name} kind={action.kind} onClick={() => choose(action)}>
            {action.name}
          </Button>
        ))}
      </Buttons>
      {chosen ? <ActionDialog subject={subject} action={chosen} onClose={() => choose(null)} /> : null}
    </>
  );
}

/** The service's limit. */
const REASON_CHARACTERS = 1_024;

interface ActionDialogProps {
  readonly subject: string;
  readonly action: Action;
  readonly onClose: () => void;
}

function ActionDialog({ subject, action, onClose }: ActionDialogProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [reason, setReason] = useState('');
  const give = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await action.run(service(undefined), reason.trim() || undefined);
      onClose();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
    refresh(); // a refusal, too, shows that the page is out of date
  };
  return (
    <Dialog title={`${action.name} ${subject}`} onClose={onClose}>
      <DialogForm onSubmit={() => void give()}>
        <h2>
          {action.name} {subject}
        </h2>
        <p>{action.about}</p>
        <Field
          label="Reason, for the history"
          name="reason"
          maxLength={REASON_CHARACTERS}
          autoFocus
          autoComplete="off"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <CodeBlock text={withReason(action.cli, reason)} about="The same command for a terminal" />
        {error ? <ErrorNotice error={error} /> : null}
        <DialogFoot>
          <Button onClick={onClose}>{isRefusal(error) ? 'Close' : 'Back'}</Button>
          {isRefusal(error) ? null : (
            <Button type="submit" kind={action.kind === 'danger' ? 'danger' : 'primary'} disabled={isBusy}>
              {action.name}
            </Button>
          )}
        </DialogFoot>
      </DialogForm>
    </Dialog>
  );
}

const withReason = (cli: string, reason: string): string =>
  reason.trim() ? `npx ${cli} --reason '${reason.trim().replaceAll("'", String.raw`'\''`)}'` : `npx ${cli}`;

/** Whether repeating is no use. Invalid input can be corrected, and a request that came too often can be repeated. */
const isRefusal = (error: unknown): boolean =>
  error instanceof WaybillError && error.status < 500 && error.status !== 429 && error.code !== 'INVALID_INPUT';
