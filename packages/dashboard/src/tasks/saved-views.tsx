import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import css from './tasks-page.module.css';
import { searchOf, type View } from './view.js';
import { forgetView, keepView, useViews } from './views.js';

interface SavedViewsProps {
  /** What the page shows. */
  readonly shown: Omit<View, 'name'>;
  /** The name of it, if its address has one. */
  readonly name: string | undefined;
}

/** Links to the views of this browser, and what keeps and forgets them. The address of a view has its name and all that it says. */
export function SavedViews({ shown, name }: SavedViewsProps) {
  const views = useViews();
  const [isNaming, setNaming] = useState(false);
  const isKept = views.some((view) => view.name === name);
  return (
    <div className={css.quick}>
      {views.length > 0 ? <span>In this browser</span> : null}
      {views.map((view) => (
        <Link
          key={view.name}
          to="/tasks"
          search={searchOf(view)}
          aria-current={view.name === name ? 'true' : undefined}
        >
          {view.name}
        </Link>
      ))}
      {isKept ? (
        <Button kind="bare" onClick={() => forgetView(name!)}>
          Forget this view
        </Button>
      ) : (
        <Button kind="bare" onClick={() => setNaming(true)}>
          Keep as a view
        </Button>
      )}
      {isNaming ? <NameDialog shown={shown} name={name} onClose={() => setNaming(false)} /> : null}
    </div>
  );
}

/** A name has as many letters as a link can show. */
const NAME_CHARACTERS = 60;

function NameDialog({ shown, name = '', onClose }: SavedViewsProps & { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const keep = (typed: FormData): void => {
    const view = { name: String(typed.get('name')).trim(), ...shown };
    keepView(view);
    onClose();
    void navigate({ to: '/tasks', search: searchOf(view), replace: true });
  };
  return (
    <Dialog title="Keep as a view" onClose={onClose}>
      <DialogForm onSubmit={keep}>
        <h2>Keep as a view</h2>
        <p>This browser remembers it. Its address, which has the name and the search, can be sent to anybody.</p>
        <Field
          label="Name"
          name="name"
          defaultValue={name}
          required
          pattern=".*\S.*"
          maxLength={NAME_CHARACTERS}
          autoComplete="off"
          autoFocus
        />
        <DialogFoot>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" kind="primary">
            Keep
          </Button>
        </DialogFoot>
      </DialogForm>
    </Dialog>
  );
}
