import type { Receipt } from '@waybill/client';
import { useRef, useState } from 'preact/hooks';
import { Trouble } from './shown.js';

export interface ActionProps {
  /** What is done, such as `Pause`. */
  readonly name: string;
  /** To what, such as `queue 'mail'`. */
  readonly of: string;
  readonly about: string;
  readonly asksWhy?: boolean;
  readonly run: (reason: string | undefined) => Promise<Receipt>;
  readonly onDone: () => void;
}

/** A button, and a dialog that says what will be done before it is. */
export function Action({ name, of, about, asksWhy = false, run, onDone }: ActionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const open = (): void => {
    setError(null);
    dialog.current!.showModal();
  };
  const close = (): void => dialog.current!.close();
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
    <>
      <button type="button" onClick={open}>
        {name}
      </button>
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
    </>
  );
}
