import type { QueueStats } from '@waybill/client';

/** A state in its colour, and in words for people who do not see the colour. */
export const State = ({ state, name = state }: { state: string; name?: string }) => (
  <span class={`state ${state}`}>{name}</span>
);

/** Marks a queue whose tasks wait without a worker. */
export const Unattended = ({ stats }: { stats: QueueStats | null }) =>
  stats?.unattended ? <State state="unattended" name="no worker" /> : null;

/** A time in the user's time zone, to the millisecond. The tooltip shows it as the service sent it. */
export function Time({ at }: { at: string | null }) {
  if (at === null) return <>–</>;
  return (
    <time dateTime={at} title={at}>
      {LOCAL.format(new Date(at))}
    </time>
  );
}

const LOCAL = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
});

/** A JSON value as text, with large numbers unchanged. If it does not fit, it scrolls, also by keyboard. */
export const Json = ({ value }: { value: unknown }) => (
  <pre class="json" tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </pre>
);
