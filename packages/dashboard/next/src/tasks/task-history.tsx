import type { EventView } from '@waybill/client';
import { detailsOf } from '@waybill/client/words';
import { Link } from '@tanstack/react-router';
import { eventName } from '../ui/event-name.js';
import { exactTime } from '../ui/times.js';
import css from './task-page.module.css';

/** What happened, the latest first: each event is a door to its moment. */
export const TaskHistory = ({ events }: { events: readonly EventView[] }) => (
  <ol className={css.events} reversed>
    {events.toReversed().map((event) => (
      <li key={event.id}>
        <Link
          to="."
          search={(search) => ({ ...search, at: event.position })}
          className={css.when}
          title={event.recordedAt}
        >
          {exactTime(event.recordedAt)}
        </Link>
        <p className={css.what}>
          <b>{eventName(event.type.replace(/^Task/, ''))}</b> <span>{detailsOf(event)}</span>
        </p>
        <span className={css.who}>{event.envelope.actor}</span>
      </li>
    ))}
  </ol>
);
