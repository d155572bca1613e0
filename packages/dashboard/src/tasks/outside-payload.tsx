import type { TaskDetails } from '@waybill/client';
import { outsideWords } from '@waybill/client/words';
import { useState } from 'react';
import { service } from '../app/service.js';
import { useMoment } from '../time/moment.js';
import { Button } from '../ui/button.js';
import { Json } from '../ui/json.js';
import { ErrorNotice } from '../ui/notice.js';

type Outside = NonNullable<TaskDetails['payloadOutside']>;

/** Of a payload outside the log: what the log has of it, and the payload once somebody asks, because it may be large and its store away. */
export function OutsidePayload({ id, outside }: { id: string; outside: Outside }) {
  const moment = useMoment();
  const [loaded, setLoaded] = useState<{ readonly payload: unknown } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const load = () =>
    service(moment)
      .task(id)
      .payload()
      .then((payload) => {
        setLoaded({ payload });
        setError(null);
      }, setError);
  return (
    <>
      <p>{outsideWords(outside)}.</p>
      {loaded ? <Json value={loaded.payload} /> : <Button onClick={() => void load()}>Load the payload</Button>}
      {error === null ? null : <ErrorNotice error={error} />}
    </>
  );
}
