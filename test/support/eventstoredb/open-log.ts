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
  close(): Promise<void>;
}

export interface LogFixtureOptions extends Partial<EventStoreDbOptions>, FixtureOptions {
  /** Somebody else's server, which stays when the log is closed. */
  readonly on?: EventStoreDbFixture;
}

/** The server shares this process: on a loaded machine an answer takes its time. */
export const PATIENT = { attemptMs: 20_000, retryMs: 20_000 };

/** The log on a fixture server of one's own, with stream names of one's own. */
export async function openLog({ on, ...options }: LogFixtureOptions = {}): Promise<LogFixture> {
  const server = on ?? (await EventStoreDbFixture.start(options));
  const prefix = `run${randomUUID()}.`.replaceAll('-', '');
  const log = new EventStoreDbLog({ ...PATIENT, url: server.url, prefix, clock: new ProcessClock(), ...options });
  const close = async (): Promise<void> => {
    await log.close();
    if (!on) await server.stop();
  };
  return { server, log, close };
}
