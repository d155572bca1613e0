import type { Receipt } from '@waybill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Trouble } from './shown.js';

export interface Action {
  /** What is done, such as `Pause`. */
  readonly name: string;
  readonly about: string;
  readonly asksWhy?: boolean;
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

function Question({ of, action: { name, about, asksWhy = false, run }, onDone, onClose }: QuestionProps) {
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
      await run(reason.trim() || undefined);
      close();
      onDone();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <dialog ref={dialog} aria-label={`${name} ${of}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        <h2>
          {name} {of}
        </h2>
        <p>{about}</p>
        {asksWhy ? (
          <label>
            Why, for the history{' '}
            <input value={reason} maxLength={1_000} onInput={(event) => setReason(event.currentTarget.value)} />
          </label>
        ) : null}
        {error ? <Trouble error={error} /> : null}
        <p class="buttons">
          <button type="submit" disabled={isBusy}>
            {name}
          </button>
          <button type="button" onClick={close}>
            Leave it
          </button>
        </p>
      </form>
    </dialog>
  );
}
