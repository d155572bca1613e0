import { EventStoreDBClient } from '@eventstore/db-client';
import { masked } from '../../telemetry/masked.js';

/**
 * Creates a client of the store at `url`. The client logs the whole URL when it warns about an unknown option, so this
 * removes the password from the warning.
 */
export function clientAt(url: string): EventStoreDBClient {
  const { warn } = console;
  console.warn = (text: unknown) => warn(withoutSecrets(String(text)));
  try {
    return EventStoreDBClient.connectionString(url);
  } finally {
    console.warn = warn;
  }
}

const withoutSecrets = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.includes('://') ? masked(line) : line))
    .join('\n');
