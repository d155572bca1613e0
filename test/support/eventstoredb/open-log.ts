import { randomUUID } from 'node:crypto';
import { Clock } from '../../../src/application/kernel/clock.port.js';
import {
  EventStoreDbLog,
  type EventStoreDbOptions,
} from '../../../src/infrastructure/eventstoredb/log/eventstoredb-log.js';
import { EventStoreDbFixture, type FixtureOptions } from './fixture.js';

export class ProcessClock extends Clock {
  now(): Date {
    return new Date();
  }
}

export interface LogFixture {
  readonly server: EventStoreDbFixture;
  readonly log: EventStoreDbLog;
  /** Of the names of its streams. */
  readonly prefix: string;
  close(): Promise<void>;
}

export interface LogFixtureOptions extends Partial<EventStoreDbOptions>, FixtureOptions {
  /** An existing server, which keeps running when the log is closed. */
  readonly on?: EventStoreDbFixture;
}

/** The server shares this process, so on a loaded machine an answer may take long. */
export const PATIENT = { attemptMs: 20_000, retryMs: 20_000 };

/** Opens a log on its own fixture server, or with its own stream names on an existing one. */
export async function openLog({ on, ...options }: LogFixtureOptions = {}): Promise<LogFixture> {
  const server = on ?? (await EventStoreDbFixture.start(options));
  const { prefix = `run${randomUUID()}.`.replaceAll('-', '') } = options;
  const log = new EventStoreDbLog({ ...PATIENT, url: server.url, clock: new ProcessClock(), ...options, prefix });
  const close = async (): Promise<void> => {
    await log.close();
    if (!on) await server.stop();
  };
  return { server, log, prefix, close };
}
