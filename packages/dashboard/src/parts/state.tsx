import type { QueueStats } from '@waybill/client';

/** A state in its colour, and in words for those who do not see it. */
export const State = ({ state, name = state }: { state: string; name?: string }) => (
  <span class={`state ${state}`}>{name}</span>
);

/** Where tasks wait and no worker is there. */
export const Unattended = ({ stats }: { stats: QueueStats | null }) =>
  stats?.unattended ? <State state="unattended" name="no worker" /> : null;

/** When, in the time of whoever looks, to the millisecond; that of the service is in the tip. */
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

/** A JSON value as it is, large numbers and all; what does not fit is scrolled to, by the keyboard, too. */
export const Json = ({ value }: { value: unknown }) => (
  <pre class="json" tabIndex={0}>
    {JSON.stringify(value, null, 2)}
  </pre>
);
