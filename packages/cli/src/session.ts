import { createWaybill, type Waybill } from '@waybill/client';
import type { Command } from 'commander';
import type { Readable } from 'node:stream';
import { UsageError } from './problems.js';
import { Printer } from './terminal/printer.js';

/** What the process gives to a command. */
export interface Surroundings {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
  readonly env: NodeJS.ProcessEnv;
}

/** What every command works with. */
export interface Session {
  readonly waybill: Waybill;
  readonly printer: Printer;
  readonly stdin: Readable;
}

/** Of a command that runs: what to work with. */
export type Open = (command: Command) => Session;

/** The options that every command has. */
interface Common {
  readonly url: string;
  readonly actor: string;
  readonly json?: true;
}

/** Somebody is waiting in front of it: a service that is away is told soon. */
const RETRIES = { attempts: 3, deadlineMs: 5_000 };

export function openSession(command: Command, { stdin, stdout, stderr, env }: Surroundings): Session {
  const { url, actor, json } = command.optsWithGlobals<Common>();
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new UsageError(`error: Expected --url to be an address such as 'http://localhost:3000', but it is '${url}'.`);
  return {
    waybill: createWaybill({ url, actor, apiKey: env.WAYBILL_API_KEY, retry: RETRIES }),
    printer: new Printer(stdout, stderr, env, json ?? false),
    stdin,
  };
}
