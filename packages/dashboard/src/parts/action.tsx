import { WaybillError } from '@waybill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorNotice } from './shown.js';

export interface Action {
  /** The name on the button, such as `Pause`. */
  readonly name: string;
  readonly about: string;
  /** Says how much the action would change. The action can be carried out once that is known. */
  readonly preview?: () => Promise<string>;
  /** The name of a whole number that the action needs. */
  readonly number?: string;
  readonly run: (reason: string | undefined, number: number | undefined) => Promise<unknown>;
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
  const [preview, setPreview] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    dialog.current!.addEventListener('close', onClose);
    dialog.current!.showModal();
    if (action.preview) void attempt(async () => setPreview(await action.preview!()));
  }, []);
  const isUnknown = action.preview !== undefined && preview === null;
  const close = (): void => dialog.current?.close();
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(null);
    await work().catch(setError);
    setBusy(false);
  };
  const act = async (typed: FormData): Promise<void> => {
    await attempt(async () => {
      await action.run(...saidIn(typed));
      close();
    });
    // Even a refusal shows that the page is out of date.
    onDone();
  };
  return (
    <dialog ref={dialog} aria-label={`${action.name} ${of}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act(new FormData(event.currentTarget));
        }}
      >
        <Asked of={of} action={action} preview={preview} />
        <Answered action={action} error={error} isBusy={isBusy || isUnknown} onClose={close} />
      </form>
    </dialog>
  );
}

/** The reason and the number, if they were given. */
function saidIn(typed: FormData): [reason: string | undefined, number: number | undefined] {
  const number = typed.get('number');
  return [String(typed.get('reason')).trim() || undefined, number === null ? undefined : Number(number)];
}

/** The service's limit. */
const REASON_CHARACTERS = 1_024;

interface AskedProps {
  readonly of: string;
  readonly action: Pick<Action, 'name' | 'about' | 'number' | 'preview'>;
  readonly preview: string | null;
}

/** Every action asks for a reason. */
export const Asked = ({ of, action: { name, about, number, preview: isPreviewed }, preview }: AskedProps) => (
  <>
    <h2>
      {name} {of}
    </h2>
    <p>{about}</p>
    {isPreviewed ? <p role="status">{preview ?? 'Counting …'}</p> : null}
    {number === undefined ? null : (
      <label>
        {number} <input name="number" type="number" step="1" required />
      </label>
    )}
    <label>
      Reason, for the history <input name="reason" maxLength={REASON_CHARACTERS} />
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
    {error ? <ErrorNotice error={error} /> : null}
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
