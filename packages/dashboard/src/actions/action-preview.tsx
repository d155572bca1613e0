import type { CommandPreview } from '@waybill/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { eventName } from '../ui/event-name.js';
import { ErrorNotice } from '../ui/notice.js';
import { plural } from '../ui/numbers.js';
import { Pill } from '../ui/pill.js';
import { ShortId } from '../ui/short-id.js';
import css from './action-preview.module.css';
import { Follows } from './follows.js';

/** What the service would do, or in words how much. */
export type Foreseen = CommandPreview | string;

/** What would become of what the command is given to, before it is given. */
export function ActionPreview({ preview: { data, error, fetchStatus } }: { preview: UseQueryResult<Foreseen> }) {
  if (error) return <ErrorNotice error={error} />;
  if (data === undefined) return fetchStatus === 'idle' ? null : <p role="status">Trying it …</p>;
  return (
    <div role="status" className={css.preview}>
      {typeof data === 'string' ? <p>{data}</p> : <Decided preview={data} />}
    </div>
  );
}

/** More changes are said as a number. */
const MOST_CHANGES = 5;

function Decided({ preview: { changes, ...follows } }: { preview: CommandPreview }) {
  if (changes.length === 0) return <p>It would change nothing.</p>;
  return (
    <ul className={css.list}>
      {changes.slice(0, MOST_CHANGES).map((change) => (
        <Change key={`${change.stream} ${change.id}`} change={change} />
      ))}
      {changes.length > MOST_CHANGES ? <li>and {plural(changes.length - MOST_CHANGES, 'other change')}</li> : null}
      <Follows {...follows} />
    </ul>
  );
}

function Change({ change: { id, from, to, events } }: { change: CommandPreview['changes'][number] }) {
  const what = events.map(({ type }) => eventName(type)).join(', ');
  return (
    <li title={id}>
      {from !== null && to !== null && from !== to ? (
        <>
          <Pill state={from} /> → <Pill state={to} />
        </>
      ) : null}{' '}
      {what} {/^[0-9a-f-]{36}$/.test(id) ? <ShortId id={id} /> : null}
    </li>
  );
}
