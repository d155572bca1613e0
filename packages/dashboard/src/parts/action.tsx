import { type Receipt, WaybillError } from '@waybill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Trouble } from './shown.js';

export interface Action {
  /** What is done, such as `Pause`. */
  readonly name: string;
  readonly about: string;
  readonly run: (reason: string | undefined) => Promise<Receipt>;
}

interface ActionsProps {
  /** To what, such as `queue 'mail'`. */
  readonly of: string;
  readonly actions: readonly Action[];
  readonly onDone: () => void;
}

/**
 * Buttons, and a dialog that says what will be done before it is. What was chosen stays as it is while it is asked about,
 * even where it is no longer offered: the service has the last word, and nobody wants to click another button than they read.
 */
export function Actions({ of, actions, onDone }: ActionsProps) {
  const [chosen, choose] = useState<Action | null>(null);
  return (
    <>
      <p class="buttons">
        {actions.map((action) => (
          <button key={action.name} type="button" onClick={() => choose(action)}>
            {action.name}
          </button>
        ))}
      </p>
      {chosen ? <Question of={of} action={chosen} onDone={onDone} onClose={() => choose(null)} /> : null}
    </>
  );
}

interface QuestionProps {
  readonly of: string;
  readonly action: Action;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function Question({ of, action, onDone, onClose }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    dialog.current!.addEventListener('close', onClose);
    dialog.current!.showModal();
  }, []);
  const close = (): void => dialog.current?.close();
  const act = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await action.run(reason.trim() || undefined);
      close();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
      // A refusal, too, tells that things are not as they are shown.
      onDone();
    }
  };
  return (
    <dialog ref={dialog} aria-label={`${action.name} ${of}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        <Asked of={of} action={action} reason={reason} onReason={setReason} />
        <Answered action={action} error={error} isBusy={isBusy} onClose={close} />
      </form>
    </dialog>
  );
}

/** The service's limit. */
const REASON_CHARACTERS = 1_024;

interface AskedProps {
  readonly of: string;
  readonly action: Pick<Action, 'name' | 'about'>;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
}

/** What people do has a reason, whatever it is. */
export const Asked = ({ of, action: { name, about }, reason, onReason }: AskedProps) => (
  <>
    <h2>
      {name} {of}
    </h2>
    <p>{about}</p>
    <label>
      Reason, for the history{' '}
      <input value={reason} maxLength={REASON_CHARACTERS} onInput={(event) => onReason(event.currentTarget.value)} />
    </label>
  </>
);

interface AnsweredProps {
  readonly action: Pick<Action, 'name'>;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onClose: () => void;
}

/** What is refused is not offered again. */
export const Answered = ({ action: { name }, error, isBusy, onClose }: AnsweredProps) => (
  <>
    {error ? <Trouble error={error} /> : null}
    <p class="buttons">
      {isRefusal(error) ? null : (
        <button type="submit" disabled={isBusy}>
          {name}
        </button>
      )}
      <button type="button" onClick={onClose}>
        {isRefusal(error) ? 'Close' : 'Back'}
      </button>
    </p>
  </>
);

/** The service's last word. What it did not understand may be put otherwise, and what it had no time for be asked again. */
const isRefusal = (error: unknown): boolean =>
  error instanceof WaybillError && error.status < 500 && error.status !== 429 && error.code !== 'INVALID_INPUT';
