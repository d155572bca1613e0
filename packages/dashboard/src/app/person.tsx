import { CircleUser } from 'lucide-react';
import { useState } from 'react';
import { actor, apiKey, canBeSent } from './identity.js';
import { Button } from '../ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { ErrorNotice } from '../ui/notice.js';
import { InputError } from '../ui/input-error.js';
import css from './person.module.css';

/** Who acts: the name that the history gets, and the API key of this tab. */
export function Person() {
  const [name, setName] = useState(actor.get);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="bare" onClick={() => setOpen(true)} aria-label={`Acting as ${name}. Change`}>
        <CircleUser aria-hidden="true" /> <span className={css.name}>{name}</span>
      </Button>
      {isOpen ? <PersonDialog name={name} onNamed={setName} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface PersonDialogProps {
  readonly name: string;
  readonly onNamed: (name: string) => void;
  readonly onClose: () => void;
}

function PersonDialog({ name, onNamed, onClose }: PersonDialogProps) {
  const [error, setError] = useState<unknown>(null);
  const keep = (typed: FormData): void => {
    const said = String(typed.get('name')).trim();
    if (!canBeSent(said)) return setError(new InputError('Expected only Latin letters, digits and punctuation'));
    actor.set(said);
    onNamed(actor.get());
    onClose();
  };
  return (
    <Dialog title="Who acts" onClose={onClose}>
      <DialogForm onSubmit={keep}>
        <h2>Who acts</h2>
        <p>Every command that you give is recorded with this name. This browser remembers it.</p>
        <Field label="Name" name="name" defaultValue={name} maxLength={100} autoComplete="off" autoFocus />
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
    </Dialog>
  );
}

/** To enter another key, or to log out. */
function forgetKey(): void {
  apiKey.forget();
  location.reload();
}
