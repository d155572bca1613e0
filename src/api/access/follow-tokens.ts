import { createHmac, timingSafeEqual } from 'node:crypto';
import { UUID_TEXT } from '../../domain/kernel/patterns.js';

/** Whoever may follow one task for a while, and nothing else. */
export interface Follower {
  readonly task: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What signs follow tokens: enough of it that nobody can guess it. */
export const FOLLOW_SECRET = /^\S{32,1024}$/;

/** Begins every token, and tells it from an API key. A later form would have another number. */
const FORM = 'wbf1';
const TOKEN = new RegExp(`^(${FORM}\\.(${UUID_TEXT})\\.(\\d{1,11}))\\.([\\w-]{43})$`);

/** The one path that a token opens. */
const FOLLOWED = new RegExp(`^/v1/tasks/([^/?]+)/follow(\\?|$)`);

/** The task that a request to this path would follow; null for another path. */
export const followedAt = (url: string): string | null => FOLLOWED.exec(url)?.[1] ?? null;

/** Whether somebody means it as a follow token. */
export const isFollowToken = (text: string): boolean => text.startsWith(`${FORM}.`);

/**
 * Makes and checks follow tokens: the task and the end, in seconds, with their HMAC-SHA-256 (RFC 2104). Nothing is stored of them. The first
 * secret signs, and all of them count, so that a secret can be replaced while tokens are in use.
 */
export class FollowTokens {
  constructor(private readonly secrets: readonly [string, ...string[]]) {}

  tokenOf({ task, expiresAt }: Follower): string {
    const said = `${FORM}.${task}.${Math.floor(expiresAt / 1_000)}`;
    return `${said}.${signed(said, this.secrets[0]).toString('base64url')}`;
  }

  /** Null if nobody with one of the secrets made the token, or it has expired. */
  followerIn(token: string, now: number): Follower | null {
    const [, said = '', task = '', seconds, signature = ''] = TOKEN.exec(token) ?? [];
    const expiresAt = Number(seconds) * 1_000;
    const given = Buffer.from(signature, 'base64url');
    if (!this.secrets.some((secret) => isSame(given, signed(said, secret)))) return null;
    return expiresAt > now ? { task, expiresAt } : null;
  }
}

/** None without a secret. */
export const followTokensOf = ([first, ...others]: readonly string[]): FollowTokens | undefined =>
  first === undefined ? undefined : new FollowTokens([first, ...others]);

const signed = (said: string, secret: string): Buffer => createHmac('sha256', secret).update(said).digest();

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);
