import { createWaybill, type Waybill } from '@waybill/client';
import { timed } from './clock.js';
import { actor, apiKey } from './identity.js';

/** A person is waiting: a failure is shown at once, and the page asks again. */
const RETRIES = { attempts: 1 };

/** Where the service is mounted: the page stands in `dashboard/` below it. */
export const serviceUrl = location.origin + location.pathname.replace(/\/dashboard\/.*$/, '');

const clients = new Map<string, Waybill>();

/**
 * A client of the service that this page came from, with the person's name and key. With a moment, everything that it reads is
 * as of then: what the service cannot say about the past, it refuses. One for each, so that lists show what a button has done.
 */
export function service(moment: string | undefined): Waybill {
  const person = { actor: actor.get(), apiKey: apiKey.get() };
  const of = JSON.stringify([moment, person]);
  const known = clients.get(of);
  if (known) return known;
  const made = createWaybill({ url: serviceUrl, fetch: moment ? asOf(moment) : timed, ...person, retry: RETRIES });
  if (clients.size > 8) clients.clear();
  clients.set(of, made);
  return made;
}

const asOf =
  (moment: string): typeof fetch =>
  (input, init) => {
    const address = new URL(String(input instanceof Request ? input.url : input));
    address.searchParams.set('asOf', moment);
    address.searchParams.delete('minPosition');
    return timed(address, init);
  };
