import { createWaybill, HttpTransport, PreviewTransport, type Waybill } from '@waybill/client';
import type { Command } from 'commander';
import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import { commonOptionsOf } from './common-options.js';
import type { Finding } from './doctor/finding.js';
import { isPreview } from './preview-option.js';
import { UsageError } from './problems.js';
import { Printer } from './terminal/printer.js';

/** What the process provides to commands. */
export interface Surroundings {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: Pick<NodeJS.WriteStream, 'write'>;
  readonly env: NodeJS.ProcessEnv;
  /**
   * Starts the service in this process, configured by the environment. Absent if only the command line is installed.
   */
  readonly startService?: (env: NodeJS.ProcessEnv) => Promise<void>;
  /**
   * Brings the schema of the database up to date, configured by the environment, and prints the grants for a role.
   * Absent if only the command line is installed.
   */
  readonly migrateSchema?: (env: NodeJS.ProcessEnv, options: MigrateOptions) => Promise<void>;
  /** Checks an export of a log. Absent if only the command line is installed. */
  readonly checkExport?: (path: string, options: CheckOptions) => Promise<CheckResult>;
  /** Verifies the log of the configured database. Absent if only the command line is installed. */
  readonly verifyLog?: (
    env: NodeJS.ProcessEnv,
    options: VerifyOptions,
  ) => Promise<VerifiedLog | { readonly refused: string }>;
  /** Verifies a proof by the texts of keys: the log's, and those of witnesses that must have cosigned its seal. Absent if only the command line is installed. */
  readonly verifyProof?: Verify<VerifiedProof>;
  /** Likewise an export of the sealed log, by its path. */
  readonly verifyExport?: Verify<VerifiedExport>;
  /** Likewise the certificate of an erasure. */
  readonly verifyCertificate?: Verify<VerifiedCertificate>;
  /** Encrypts keys of private halves with the newest master key. Absent if only the command line is installed. */
  readonly rewrapSubjectKeys?: (
    env: NodeJS.ProcessEnv,
  ) => Promise<{ readonly keys: number } | { readonly refused: string }>;
  /** Looks at the settings of the environment, and at what they name. Absent if only the command line is installed. */
  readonly diagnose?: (env: NodeJS.ProcessEnv) => AsyncIterable<Finding>;
  /** The settings of the environment, with secrets masked, or what is wrong with them. Absent if only the command line is installed. */
  readonly checkConfig?: (
    env: NodeJS.ProcessEnv,
  ) => Promise<{ readonly settings: Record<string, unknown> } | { readonly problems: readonly string[] }>;
  /** Compares the index of the configured database with its log. Absent if only the command line is installed. */
  readonly checkIndex?: (env: NodeJS.ProcessEnv) => Promise<CheckedIndex | { readonly refused: string }>;
}

type Verify<Result> = (file: string, key: string, witnesses: readonly string[]) => Result | Promise<Result>;

/** What `waybill verify` compares a log with. */
export interface VerifyOptions {
  /** The text of a public key; null if none was given. */
  readonly key: string | null;
  /** By the names of their files. */
  readonly seals: readonly { readonly name: string; readonly text: string }[];
  /** The texts of keys of witnesses whose times are believed. */
  readonly witnesses: readonly string[];
  /** Whether to read the payloads outside the log, too. */
  readonly payloads: boolean;
  /** What the run before left; null to read the whole log. */
  readonly state: string | null;
  readonly onFinding: (finding: LogFinding) => void;
}

export interface LogFinding {
  readonly kind:
    | 'ALTERED'
    | 'GAP'
    | 'TIME_BACK'
    | 'TOO_OLD'
    | 'CONFLICT'
    | 'SHORTER'
    | 'HALF_MISSING'
    | 'KEY_RETIRED'
    | 'PAYLOAD_MISSING'
    | 'PAYLOAD_CHANGED';
  /** Of the event where it shows; null if it concerns a seal. */
  readonly position: string | null;
  readonly says: string;
}

export interface VerifiedLog {
  readonly findings: number;
  /** How many leaves the log has, and the root of its tree in Base64. */
  readonly size: number;
  readonly root: string;
  /** How many kept seals it was compared with. */
  readonly seals: number;
  /** How many payloads outside the log were read; null if none were to be. */
  readonly payloads: number | null;
  /** Who said that the log goes on under the name of the key; null if it has no log before it, or the log does not say so. */
  readonly before: LogGoesOn | null;
  /** The keys that last seals among those name, as verifiers take them. */
  readonly nextKeys: readonly string[];
  /** How many leaves the run before had verified, which this one did not read; null without its state. */
  readonly since: number | null;
  /** For the next run; null with findings. */
  readonly state: string | null;
}

export interface LogGoesOn {
  readonly type: 'LogLossAccepted' | 'NotaryKeyRetired';
  readonly position: string;
  /** The name of the log before. */
  readonly log: string;
  readonly by: string;
  readonly reason: string | null;
}

/** `fault`: why the proof proves nothing. `refused`: why it cannot be looked at. */
export type VerifiedProof = { readonly refused: string } | { readonly fault: string } | ProvenTask;

export interface ProvenTask {
  readonly task: string;
  readonly events: readonly ProvenEvent[];
  readonly log: string;
  /** Leaves. */
  readonly size: number;
  readonly truncated: boolean;
  readonly cosigned: readonly Cosigned[];
}

/** A witness that was asked for cosigned the seal, at a time by its clock. */
export interface Cosigned {
  readonly witness: string;
  readonly at: string;
}

export interface ProvenEvent {
  readonly position: string;
  readonly type: string;
  readonly revision: number;
  readonly recordedAt: string;
  /** Whether its private half is proven as well. */
  readonly isWhole: boolean;
}

/** `fault`: where the file is not what was sealed. `refused`: why it cannot be looked at. */
export type VerifiedExport = { readonly refused: string } | { readonly fault: string } | SealedExport;

export interface SealedExport {
  readonly log: string;
  /** Leaves of the sealed log. */
  readonly size: number;
  readonly segments: number;
  readonly events: number;
  /** How many events have their private halves. */
  readonly halves: number;
  /** Leaves whose segments it does not have. */
  readonly leftOut: number;
  /** What was asked for; null if all. */
  readonly queue: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly private: boolean;
  readonly cosigned: readonly Cosigned[];
}

/** `fault`: why the certificate proves nothing. `refused`: why it cannot be looked at. */
export type VerifiedCertificate = { readonly refused: string } | { readonly fault: string } | CertifiedErasure;

export interface CertifiedErasure {
  readonly erasure: string;
  readonly ordered: { readonly by: string; readonly at: string; readonly reason: string | null };
  readonly approved: { readonly by: string; readonly at: string } | null;
  readonly result: {
    readonly erased: number;
    readonly batches: number;
    /** Those that another erasure had erased before; absent if an earlier version carried it out, which counted them as erased. */
    readonly alreadyErased?: number;
    readonly halves: number;
    readonly outbox: number;
    readonly refused: Readonly<Record<string, number>>;
  };
  /** How many of the erased tasks were mail and webhooks. */
  readonly told: number;
  /** How many of the erased tasks other erasures had recorded before, if `result` does not tell them apart. That this one concerned them, too, only the service says. */
  readonly earlier: readonly { readonly erasure: string; readonly tasks: number; readonly batches: number }[];
  readonly log: string;
  /** Leaves of the seal before the order; null if no seal by the given key, or one that follows from it, shows them. */
  readonly before: number | null;
  /** The log of a seal before the order that only an earlier key can prove; null if there is none. */
  readonly unproven: string | null;
  /** Leaves of the seal after its end. */
  readonly after: number;
  /** The key of the seal after its end, if it follows from the one that was given; null otherwise. */
  readonly nextKey: string | null;
  readonly cosigned: readonly Cosigned[];
  /** As the service said, which nothing proves. */
  readonly copies: readonly { readonly where: string; readonly until: string | null; readonly says: string }[];
}

export interface CheckedIndex {
  /** How many rows differ. */
  readonly rows: number;
  /** The first of them, in words. */
  readonly lines: readonly string[];
}

export interface CheckOptions {
  /** By queue, the changes of its policy as JSON text. */
  readonly policies: ReadonlyMap<string, string>;
  /** Whether the work of the log is done, so that nothing may be left over at its end. */
  readonly isOver: boolean;
  readonly onFinding: (finding: CheckFinding) => void;
}

export interface CheckFinding {
  /** A broken rule; an event that cannot be read; a decision that another policy makes otherwise. */
  readonly kind: 'broken' | 'unreadable' | 'other';
  /** Where it shows; null at the end of the log. */
  readonly position: string | null;
  readonly stream: string | null;
  readonly says: string;
  /** Of a broken rule. */
  readonly invariant?: string;
}

/** `refused`: why the file, or a policy, cannot be used. */
export type CheckResult = { readonly refused: string } | CheckedLog;

export interface CheckedLog {
  readonly events: number;
  readonly position: string;
  readonly faults: number;
  readonly others: number;
  readonly mostOpen: number;
  readonly skipped: readonly string[];
}

export interface MigrateOptions {
  readonly printGrants?: string;
}

/** What every command uses. */
export interface Session {
  readonly waybill: Waybill;
  readonly printer: Printer;
  readonly stdin: Readable;
  /** For what is no text; the printer has the rest. */
  readonly stdout: NodeJS.WriteStream;
}

/** Opens the session of the command that runs. */
export type Open = (command: Command) => Session;

/** A person is waiting, so an unreachable service is reported soon. */
const RETRIES = { attempts: 3, deadlineMs: 5_000 };

export function openSession(command: Command, surroundings: Surroundings): Session {
  const { stdin, stdout } = surroundings;
  const { url, apiKey, ...who } = callerFor(command, surroundings);
  return {
    waybill: isPreview(command)
      ? createWaybill({ transport: new PreviewTransport(new HttpTransport({ url, apiKey })), ...who })
      : createWaybill({ url, apiKey, ...who }),
    printer: printerFor(command, surroundings),
    stdin,
    stdout,
  };
}

/** Prints as the options of the command say. */
export const printerFor = (command: Command | null, { stdout, stderr, env }: Surroundings): Printer =>
  new Printer(stdout, stderr, env, commonOptionsOf(command));

/** Who calls which service, by the options of the command and the environment. */
export function callerFor(command: Command, { env }: Surroundings) {
  const given = commonOptionsOf(command);
  const url = urlFor(command, env);
  const actor = given.actor ?? (env.WAYBILL_ACTOR || whoami());
  const agent = given.agent ?? (env.WAYBILL_AGENT || undefined);
  const apiKey = env.WAYBILL_API_KEY?.trim();
  const fault = faultIn(command.args, url, { actor, agent }, apiKey);
  if (fault) throw new UsageError(`error: Expected ${fault}.`);
  return { url, apiKey, actor, agent, retry: RETRIES };
}

/** The address of the service that a command talks to, without slashes at its end. */
export function urlFor(command: Command | null, env: NodeJS.ProcessEnv): string {
  const given = commonOptionsOf(command).url ?? (env.WAYBILL_URL || 'http://127.0.0.1:3000');
  return given.replace(/\/+$/, '');
}

/** A user without a name, as in containers, acts as `cli`. */
function whoami(): string {
  try {
    return userInfo().username;
  } catch {
    return 'cli';
  }
}

/**
 * Null if everything can be sent. Checked here because the error of `fetch` for an invalid header or URL contains the
 * secret.
 */
function faultIn(
  args: readonly string[],
  url: string,
  names: { readonly actor: string; readonly agent: string | undefined },
  apiKey = '',
): string | null {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    return `--url to be an address such as 'http://localhost:3000', but it is '${url}'`;
  const { username, password } = new URL(url);
  if (username || password) return '--url to be an address without a user name and password, but it contains them';
  for (const [option, name = ''] of Object.entries(names))
    if (/\p{C}/u.test(name)) return `--${option} to be a name without control characters, but it contains some`;
  if (!/^[\x21-\x7e]*$/.test(apiKey))
    return 'WAYBILL_API_KEY to be an API key, but it contains characters that no key has';
  // An empty argument comes from a script's variable that nobody set.
  return args.includes('') ? 'every argument to have a value, but one is empty' : null;
}
