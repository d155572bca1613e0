import type { EvidenceSubject } from '@waybill/client';
import { useState } from 'react';
import { service } from '../app/service.js';
import { useMoment } from '../time/moment.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { Check } from '../ui/field.js';
import { ErrorNotice } from '../ui/notice.js';
import { Stack } from '../ui/stack.js';

interface EvidenceProps {
  readonly subject: EvidenceSubject;
  /** Of the file, without its end. */
  readonly name: string;
}

/** Saves a page for people with what happened and the proofs of it. Proofs are of now, so there is none in the past. */
export function EvidenceCard({ subject, name }: EvidenceProps) {
  const [isPrivate, setPrivate] = useState(false);
  const [state, setState] = useState<'idle' | 'making' | { readonly error: unknown }>('idle');
  const isPast = useMoment() !== undefined;
  if (isPast) return null;
  const make = async (): Promise<void> => {
    setState('making');
    try {
      save(await service(undefined).evidence(subject, isPrivate ? { private: true } : {}), `${name}.html`);
      setState('idle');
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <Card title="Evidence">
      <Stack>
        <p>What happened, as a page to give away. It has its proofs within it.</p>
        <Check
          label="Also what it was about: payload, labels, results and texts of errors"
          checked={isPrivate}
          onChange={({ target }) => setPrivate(target.checked)}
        />
        <div>
          <Button disabled={state === 'making'} onClick={() => void make()}>
            {state === 'making' ? 'Waits for the next seal' : 'Download'}
          </Button>
        </div>
        {typeof state === 'object' ? <ErrorNotice error={state.error} /> : null}
      </Stack>
    </Card>
  );
}

function save(page: string, name: string): void {
  const address = URL.createObjectURL(new Blob([page], { type: 'text/html' }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
