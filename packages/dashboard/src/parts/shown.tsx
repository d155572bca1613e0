import { WaybillError } from '@waybill/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Live } from '../live.js';
import { apiKey } from '../service.js';

/** What there is to see of `live`: its data, that they are awaited, or why there are none. */
export function Shown<T>({ live, children }: { live: Live<T>; children: (data: T) => ComponentChildren }) {
  const { data, error, refresh } = live;
  if (error instanceof WaybillError && error.status === 401) return <AskForKey onKey={refresh} />;
  return (
    <>
      {error ? <Trouble error={error} isOld={data !== null} /> : null}
      {data === null ? error ? null : <p class="quiet">Looking …</p> : children(data)}
    </>
  );
}

/** In the service's own words; what is shown below it is older. */
export function Trouble({ error, isOld = false }: { error: unknown; isOld?: boolean }) {
  const text = error instanceof WaybillError ? `${error.code}: ${error.message}` : String((error as Error).message);
  return (
    <p class="trouble" role="alert">
      {text}
      {isOld ? ' What stands below is older.' : ''}
    </p>
  );
}

function AskForKey({ onKey }: { onKey: () => void }) {
  const [key, setKey] = useState('');
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        apiKey.set(key.trim());
        onKey();
      }}
    >
      <label>
        The service asks for an API key{' '}
        <input type="password" value={key} autocomplete="off" onInput={(event) => setKey(event.currentTarget.value)} />
      </label>
      <button type="submit">Use it in this tab</button>
    </form>
  );
}
