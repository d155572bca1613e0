import { WaybillError } from '@waybill/client';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Live } from '../live.js';
import { apiKey } from '../service.js';

interface ShownProps<T> {
  readonly live: Live<T>;
  /** The heading while there is no data, unless the page already has one. */
  readonly title?: string;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows the data of `live`, that it is being loaded, or why there is none. */
export function Shown<T>({ live, title, children }: ShownProps<T>) {
  const { data, error } = live;
  if (error instanceof WaybillError && error.status === 401) return <AskForKey />;
  return (
    <>
      {data === null && title ? <h1>{title}</h1> : null}
      {error ? <ErrorNotice error={error} isOld={data !== null} /> : null}
      {data === null ? error ? null : <p class="quiet">Loading …</p> : children(data)}
    </>
  );
}

/** The error in the service's own words. Data shown below it may be old. */
export function ErrorNotice({ error, isOld = false }: { error: unknown; isOld?: boolean }) {
  const text = error instanceof WaybillError ? `${error.code}: ${error.message}` : String((error as Error).message);
  return (
    <p class="error-message" role="alert">
      {text}
      {isOld ? ' The data below may be out of date.' : ''}
    </p>
  );
}

/** Nothing on the page is worth keeping, so it reloads with the key. */
function AskForKey() {
  const field = useRef<HTMLInputElement>(null);
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        apiKey.set(field.current!.value.trim());
        location.reload();
      }}
    >
      <h1>This service requires an API key</h1>
      {apiKey.get() ? (
        <p class="error-message">The service does not accept your API key. It may have expired.</p>
      ) : null}
      <label>
        API key <input ref={field} type="password" autocomplete="off" required pattern="\s*[!-~]+\s*" />
      </label>{' '}
      <button type="submit">Use it in this tab</button>
    </form>
  );
}
