import { uuidv7 } from 'uuidv7';
import { openReservedDispatch } from '../../support/dispatch-fixture.js';

it('a claim of a serial queue is refused where the events are in EventStoreDB', async () => {
  const dispatch = await openReservedDispatch();
  const queue = `q-${uuidv7()}`;
  await dispatch.define(queue, { concurrency: 'serial' });
  await expect(dispatch.claim(queue)).rejects.toMatchObject({ rejection: { code: 'SERIAL_NEEDS_POSTGRES', queue } });
  await dispatch.close();
});
