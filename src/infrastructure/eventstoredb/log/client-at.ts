import { EventStoreDBClient } from '@eventstore/db-client';
import { masked } from '../../telemetry/masked.js';

/** A client of the store at `url`. Of an option that it does not know it warns with the whole URL: here without the password. */
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
