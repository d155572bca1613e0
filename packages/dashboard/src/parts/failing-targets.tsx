import type { SystemView } from '@waybill/client';
import { plural } from '@waybill/client/words';
import { Time } from './state.js';
import { Table } from './table.js';

const TITLES = ['Target', { numbers: 'Failures in a row' }, 'Last failure', 'Next trial', 'Why'];

type Failing = Pick<SystemView, 'failingTargets' | 'firstFailingTargets'>;

/** Where deliveries go and fail, so that they are tried seldom; nothing if there are none. */
export const FailingTargets = ({ failingTargets, firstFailingTargets }: Failing) =>
  failingTargets === 0 ? null : (
    <>
      <h1>Deliveries that fail</h1>
      <p>
        {plural(failingTargets, 'target')} of mail and webhooks failed so often in a row that they are tried seldom.
        {failingTargets > firstFailingTargets.length ? ` These failed last.` : ''}
      </p>
      <Table about="Deliveries that fail" titles={TITLES}>
        {firstFailingTargets.map(({ target, failures, failedAt, until, error }) => (
          <tr key={target}>
            <th scope="row">{target === 'mail' ? 'the mail server' : target}</th>
            <td class="number">{failures}</td>
            <td>
              <Time at={failedAt} />
            </td>
            <td>
              <Time at={until} />
            </td>
            <td>{error}</td>
          </tr>
        ))}
      </Table>
    </>
  );
