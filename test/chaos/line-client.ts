import type { Waybill } from '@waybill/client';
import { writeSync } from 'node:fs';
import { HttpTransport } from '../../packages/client/src/http-transport.js';
import type { Transport } from '../../packages/client/src/transport.js';
import { createWaybill } from '../../packages/client/src/waybill.js';
import { impatient } from './load.js';
import { type Exchange, type Recorder, RecordingTransport } from './recording.js';

const write = (exchange: Exchange): void => void writeSync(1, `${JSON.stringify(exchange)}\n`);

/** Prints a line for each request before it is sent, and another one for its answer, so that a kill loses neither. */
const lines: Recorder = { sent: write, answered: write };

/** A client for a process that may be killed at any moment. */
export const lineClient = (url: string, transport: Transport = new HttpTransport({ url })): Waybill =>
  createWaybill({ transport: new RecordingTransport(transport, lines), clock: impatient });
