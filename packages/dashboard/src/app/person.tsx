import type { MeView } from '@waybill/client';
import { CircleUser } from 'lucide-react';
import { useState } from 'react';
import { actor, apiKey, canBeSent } from './identity.js';
import { useMe } from './me.js';
import { forgetVisits } from './visits.js';
import { Button } from '../ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { ErrorNotice } from '../ui/notice.js';
import { InputError } from '../ui/input-error.js';
import { At } from '../ui/time.js';
import css from './person.module.css';

/** Who acts: the name that the history gets, and what the API key allows. */
export function Person() {
  const me = useMe();
  const [typed, setTyped] = useState(actor.get);
  const [isOpen, setOpen] = useState(false);
  const name = me?.actor ?? typed;
  return (
    <>
      <Button kind="bare" onClick={() => setOpen(true)} aria-label={`Acting as ${name}`}>
        <CircleUser aria-hidden="true" /> <span className={css.name}>{name}</span>
      </Button>
      {isOpen ? (
        <Dialog title="Who acts" onClose={() => setOpen(false)}>
          {me?.person ? (
            <SignedIn me={me} onClose={() => setOpen(false)} />
          ) : (
            <Named me={me} onNamed={setTyped} onClose={() => setOpen(false)} />
          )}
        </Dialog>
      ) : null}
    </>
  );
}

interface SignedInProps {
  readonly me: MeView;
  readonly onClose: () => void;
}

/** Somebody else has told the service who it is: the name is not for the person to choose. */
const SignedIn = ({ me, onClose }: SignedInProps) => (
  <DialogForm onSubmit={onClose}>
    <h2>Who acts</h2>
    <p>
      You are signed in as <b>{me.person}</b>. Every command that you give is recorded as <b>{me.actor}</b>.
    </p>
    <Key me={me} />
    <DialogFoot>
      <Button type="submit">Close</Button>
    </DialogFoot>
  </DialogForm>
);

interface NamedProps {
  readonly me: MeView | undefined;
  readonly onNamed: (name: string) => void;
  readonly onClose: () => void;
}

function Named({ me, onNamed, onClose }: NamedProps) {
  const [error, setError] = useState<unknown>(null);
  const keep = (typed: FormData): void => {
    const said = String(typed.get('name')).trim();
    if (!canBeSent(said)) return setError(new InputError('Expected only Latin letters, digits and punctuation'));
    actor.set(said);
    onNamed(actor.get());
    onClose();
  };
  return (
    <DialogForm onSubmit={keep}>
      <h2>Who acts</h2>
      <p>
        Every command that you give is recorded with this name{me?.key ? `, after '${me.key.name}:'` : ''}. This browser
        remembers it.
      </p>
      <Field label="Name" name="name" defaultValue={actor.get()} maxLength={100} autoComplete="off" autoFocus />
      <Key me={me} />
      {error ? <ErrorNotice error={error} /> : null}
      <DialogFoot>
        {apiKey.get() ? (
          <Button kind="danger" onClick={forgetKey}>
            Remove the API key
          </Button>
        ) : null}
        <Button onClick={onClose}>Back</Button>
        <Button type="submit" kind="primary">
          Keep
        </Button>
      </DialogFoot>
    </DialogForm>
  );
}

/** What the key allows: the pages offer nothing else. */
const Key = ({ me }: { me: MeView | undefined }) =>
  me?.key ? (
    <p>
      The API key <b>{me.key.name}</b> may: {me.may.join(', ')}. Nothing else is offered.
      {me.key.expiresAt ? (
        <>
          {' '}
          It expires at <At at={me.key.expiresAt} />.
        </>
      ) : null}
    </p>
  ) : null;

/** To enter another key, or to log out. */
function forgetKey(): void {
  apiKey.forget();
  forgetVisits();
  location.reload();
}
