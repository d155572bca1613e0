import type { EventView } from '@waybill/client';
import { detailsOf, stackOf } from '@waybill/client/words';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Diff } from '../ui/diff.js';
import { eventName } from '../ui/event-name.js';
import { Choice } from '../ui/field.js';
import { Fold } from '../ui/fold.js';
import { Json } from '../ui/json.js';
import { Empty } from '../ui/notice.js';
import { Sentence } from '../ui/sentence.js';
import { briefTime, exactTime } from '../ui/times.js';
import css from './events.module.css';

/** More events than this may be too many to find one among them. */
const FEW = 10;

const ALL = 'All events';

/** What happened, the latest first, of many events also those of one sort alone. */
export function Events({ events }: { events: readonly EventView[] }) {
  const [sort, choose] = useState(ALL);
  if (events.length === 0) return <Empty title="Nothing has happened to it yet." />;
  const sorts = [...new Set(events.map(({ type }) => eventName(type)))].sort();
  const shown = sorts.includes(sort) ? events.filter(({ type }) => eventName(type) === sort) : events;
  if (events.length <= FEW || sorts.length === 1) return <EventList events={events} />;
  return (
    <>
      <div className={css.filter}>
        <Choice label="Show" choices={[ALL, ...sorts]} value={sort} onChange={({ target }) => choose(target.value)} />
      </div>
      <EventList events={shown} />
    </>
  );
}

/** Each event is a door to its moment, and tells all that was recorded. */
const EventList = ({ events }: { events: readonly EventView[] }) => (
  <ol className={css.events} reversed>
    {events.toReversed().map((event) => (
      <li key={event.id}>
        <Link
          to="."
          search={(search) => ({ ...search, at: event.position })}
          className={css.when}
          title={`${exactTime(event.recordedAt)} (${event.recordedAt}), position ${event.position}`}
        >
          {briefTime(event.recordedAt)}
        </Link>
        <Fold
          title={
            <>
              <b>{eventName(event.type)}</b>{' '}
              <span className={css.details}>
                <Sentence text={detailsOf(event)} />
              </span>
            </>
          }
        >
          <Recorded event={event} />
        </Fold>
        <span className={css.who}>{event.envelope.actor}</span>
      </li>
    ))}
  </ol>
);

interface Told {
  readonly payload?: unknown;
  readonly previous?: unknown;
  readonly error?: { readonly details?: unknown };
}

/** All that was recorded. An amendment shows what it changed. */
function Recorded({ event: { type, data, envelope } }: { event: EventView }) {
  const { payload, previous, error } = data as Told;
  const stack = stackOf(error);
  return (
    <div className={css.recorded}>
      {type === 'TaskPayloadAmended' ? <Diff before={previous} after={payload} /> : <Json value={data} />}
      {stack === null ? null : (
        <pre className={css.stack} tabIndex={0}>
          {stack}
        </pre>
      )}
      <h3>Envelope</h3>
      <Json value={envelope} />
    </div>
  );
}
