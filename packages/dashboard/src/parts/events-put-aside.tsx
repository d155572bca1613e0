import type { SystemView } from '@waybill/client';
import { plural } from '@waybill/client/words';
import { Time } from './state.js';
import { Table } from './table.js';

const TITLES = ['Reaction', 'Trigger', { numbers: 'Position' }, 'Since', { numbers: 'Tries' }, 'Next try', 'Why'];

type PutAside = Pick<SystemView, 'eventsPutAside' | 'firstEventsPutAside'>;

/** The events that reactions and triggers could not deal with; nothing if there are none. */
export const EventsPutAside = ({ eventsPutAside, firstEventsPutAside }: PutAside) =>
  eventsPutAside === 0 ? null : (
    <>
      <h1>Events put aside</h1>
      <p>
        {plural(eventsPutAside, 'event')} that reactions and triggers could not deal with are tried again; others go on.
        {eventsPutAside > firstEventsPutAside.length ? ' These come first.' : ''}
      </p>
      <Table about="Events put aside" titles={TITLES}>
        {firstEventsPutAside.map(({ reaction, trigger, position, since, tries, until, reason }) => (
          <tr key={`${reaction} ${trigger} ${position}`}>
            <th scope="row">{reaction}</th>
            <td>{trigger ?? '-'}</td>
            <td class="number">{position}</td>
            <td>
              <Time at={since} />
            </td>
            <td class="number">{tries}</td>
            <td>{until === null ? 'when a service starts' : <Time at={until} />}</td>
            <td>{reason}</td>
          </tr>
        ))}
      </Table>
    </>
  );
