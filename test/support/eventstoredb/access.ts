import * as grpc from '@grpc/grpc-js';
import type { FixtureLog } from './fixture-log.js';
import { isMetastream, isSystemStream, metastreamOf, type StoredEvent } from './stored-stream.js';
import { type Failure, failure } from './wire.js';

export interface Account {
  readonly password: string;
  readonly groups?: readonly string[];
}
export type Accounts = Readonly<Record<string, Account>>;
export type Action = 'read' | 'write' | 'delete';

type Right = '$r' | '$w' | '$d' | '$mr' | '$mw';
type Acl = Partial<Record<Right, string | readonly string[]>>;

const RIGHTS: Readonly<Record<Action, Right>> = { read: '$r', write: '$w', delete: '$d' };
const ON_METASTREAM: Readonly<Record<Action, Right | null>> = { read: '$mr', write: '$mw', delete: null };
const ALL_STREAM = '$all';
const EVERYBODY = '$all';
const ADMINS = '$admins';

/** The access rules. Without accounts, everybody may do everything, as on a server without TLS. */
export class Access {
  constructor(
    private readonly accounts: Accounts | null,
    private readonly log: FixtureLog,
  ) {}

  /** The failure of a call with wrong credentials; null if the call has none or valid ones. */
  unknown(metadata: grpc.Metadata): Failure | null {
    const given = this.accounts && credentialsOf(metadata);
    if (!given || this.accounts[given.name]?.password === given.password) return null;
    return failure(grpc.status.UNAUTHENTICATED, 'Unauthenticated');
  }

  /** The failure of a call without the right; null if it is allowed. */
  refuse(metadata: grpc.Metadata, action: Action, stream: string): Failure | null {
    if (!this.accounts) return null;
    return this.unknown(metadata) ?? (this.allows(credentialsOf(metadata)?.name, action, stream) ? null : denied());
  }

  private allows(name: string | undefined, action: Action, stream: string): boolean {
    if (name === undefined || (stream === ALL_STREAM && action !== 'read')) return false;
    const roles = [name, ...(this.accounts![name]!.groups ?? [])];
    const right = isMetastream(stream) ? ON_METASTREAM[action] : RIGHTS[action];
    if (right === null) return false;
    if (name === 'admin' || roles.includes(ADMINS)) return true;
    const allowed = this.rolesFor(right, isMetastream(stream) ? stream.slice(2) : stream);
    return allowed.includes(EVERYBODY) || allowed.some((role) => roles.includes(role));
  }

  /** The stream's own list, otherwise that of the store's settings, otherwise the server's. */
  private rolesFor(right: Right, stream: string): readonly string[] {
    const settings = contentOf(this.log.visible('$settings')?.at(-1));
    const usual = settings[isSystemStream(stream) ? '$systemStreamAcl' : '$userStreamAcl'];
    const own = contentOf(this.log.visible(metastreamOf(stream))?.at(-1)).$acl;
    const roles = own?.[right] ?? usual?.[right] ?? (isSystemStream(stream) ? ADMINS : EVERYBODY);
    return typeof roles === 'string' ? [roles] : roles;
  }
}

const denied = (): Failure => failure(grpc.status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

function credentialsOf(metadata: grpc.Metadata): { name: string; password: string } | null {
  const [header] = metadata.get('authorization');
  if (header === undefined) return null;
  const [name = '', ...password] = Buffer.from(String(header).replace('Basic ', ''), 'base64').toString().split(':');
  return { name, password: password.join(':') };
}

function contentOf(event: StoredEvent | undefined): Record<string, Acl | undefined> {
  return event ? (JSON.parse(Buffer.from(event.data).toString()) as Record<string, Acl>) : {};
}
