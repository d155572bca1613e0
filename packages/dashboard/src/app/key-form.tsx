import { apiKey } from './identity.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { Field } from '../ui/field.js';
import css from './key-form.module.css';

/** Asks for an API key, which the tab keeps. Nothing of the page is worth keeping, so it is loaded again. */
export const KeyForm = () => (
  <Card title="This service requires an API key">
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        keepKey(new FormData(event.currentTarget));
      }}
    >
      {apiKey.get() ? <p role="alert">The service does not accept your API key. It may have expired.</p> : null}
      <Field label="API key" name="key" type="password" autoComplete="off" required pattern="\s*[!-~]+\s*" autoFocus />
      <Button type="submit" kind="primary">
        Use it in this tab
      </Button>
    </form>
  </Card>
);

function keepKey(typed: FormData): void {
  apiKey.set(String(typed.get('key')).trim());
  location.reload();
}
