import type { TaskDetails } from '@waybill/client';
import { useState } from 'react';
import { useOffer } from '../actions/offer.js';
import { service } from '../app/service.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { ErrorNotice } from '../ui/notice.js';

/** Of an erasure that was carried out: what proves it, to take away. */
export function Certificate({ task: { id, queue, state } }: { task: TaskDetails }) {
  const offers = useOffer();
  const [error, setError] = useState<unknown>(null);
  const isOffered = offers({ permission: 'erase' }) || offers({ permission: 'audit' });
  if (queue !== 'waybill.erasures' || state !== 'succeeded' || !isOffered) return null;
  const take = () => save(id).then(() => setError(null), setError);
  return (
    <Card title="Certificate">
      <p>
        Proves what was erased, by whom and when, to somebody without access to this service, and names where copies may
        be.
      </p>
      <Button onClick={() => void take()}>Download the certificate</Button>
      {error === null ? null : <ErrorNotice error={error} />}
    </Card>
  );
}

async function save(erasure: string): Promise<void> {
  const certificate = await service(undefined).erasureCertificate(erasure);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(certificate)], { type: 'application/json' }));
  link.download = `erasure-${erasure}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
