import type { Waybill } from '@waybill/client';
import { useState } from 'react';
import { refresh } from '../app/live.js';
import { service } from '../app/service.js';

interface Giving {
  readonly error: unknown;
  readonly isBusy: boolean;
  /** Gives the command. What fails is the `error` until it is given again. */
  give(command: (waybill: Waybill) => Promise<unknown>): Promise<void>;
}

/** Gives the command of a dialog, and tells when the service has taken it. */
export function useGiving(onGiven: (answer: unknown) => void): Giving {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const give = async (command: (waybill: Waybill) => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      onGiven(await command(service(undefined)));
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
    refresh(); // a refusal, too, shows that the page is out of date
  };
  return { error, isBusy, give };
}
