import { type Receipt, WaybillError } from '@waybill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Trouble } from './shown.js';

export interface Action {
  /** The name on the button, such as `Pause`. */
  readonly name: string;
  readonly about: string;
  readonly run: (reason: string | undefined) => Promise<Receipt>;
}

interface ActionsProps {
  /** The object of the actions, such as `queue 'mail'`. */
  readonly of: string;
  readonly actions: readonly Action[];
  readonly onDone: () => void;
}

/**
 * Buttons, and a dialog that explains an action before it is carried out. A selected action stays in the dialog even if
 * the service no longer offers it: the service decides, and a button must not change under the user's pointer.
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
      // Even a refusal shows that the page is out of date.
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

/** Every action asks for a reason. */
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

/** A refused action is not offered again. */
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

/** Whether repeating is no use. Invalid input can be corrected, and a request that came too often can be repeated. */
const isRefusal = (error: unknown): boolean =>
  error instanceof WaybillError && error.status < 500 && error.status !== 429 && error.code !== 'INVALID_INPUT';
