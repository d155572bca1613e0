import type { Waybill } from '@waybill/client';
import { writeSync } from 'node:fs';
import { HttpTransport } from '../../packages/client/src/http-transport.js';
import { createWaybill } from '../../packages/client/src/waybill.js';
import { impatient } from './load.js';
import { type Exchange, type Recorder, RecordingTransport } from './recording.js';

const write = (exchange: Exchange): void => void writeSync(1, `${JSON.stringify(exchange)}\n`);

/** Each exchange is a line before it is sent, and another one when it is answered: a kill loses neither. */
const lines: Recorder = { sent: write, answered: write };

/** For a process that may be killed at any moment. */
export const lineClient = (url: string): Waybill =>
  createWaybill({ transport: new RecordingTransport(new HttpTransport({ url }), lines), clock: impatient });
