import type { PrerequisiteResult } from '@waybill/client';
import { useState } from 'react';
import { useMoment } from '../time/moment.js';
import { Json } from '../ui/json.js';
import { useResults } from './tasks.queries.js';

/** The results that a task gets from those that it waited for, once somebody opens them. The service has those of now only. */
export function Results({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data = [] } = useResults(id, isOpen);
  if (useMoment() !== undefined) return null;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Results of what it needs</summary>
      {data
        .filter(({ state }) => state === 'succeeded')
        .map((one, at) => (
          <One key={one.id ?? at} one={one} />
        ))}
    </details>
  );
}

const One = ({ one: { reference, key, kind, result } }: { one: PrerequisiteResult }) => (
  <section>
    <h3>{reference ?? key ?? kind ?? 'hidden'}</h3>
    <Json value={result} />
  </section>
);
