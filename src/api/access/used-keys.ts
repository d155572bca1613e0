import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type KeyUse, KeyUses } from '../../application/kernel/key-uses.port.js';
import { sayUnlessAway } from '../../application/kernel/outage.js';
import type { ApiKey } from './api-keys.js';

/** The first digits of a key's hash: enough to tell keys apart, and no help in finding the key. */
export const keyId = ({ sha256 }: Pick<ApiKey, 'sha256'>): string => sha256.slice(0, 12);

/** When each key was used last in this process. As many as there are keys. */
export class UsedKeys {
  private readonly unwritten = new Map<ApiKey, number>();

  note(key: ApiKey): void {
    this.unwritten.set(key, performance.now());
  }

  /** What was noted since the last call. */
  take(): readonly KeyUse[] {
    const now = performance.now();
    const uses = [...this.unwritten].map(([key, at]) => ({ id: keyId(key), name: key.name, agoMs: now - at }));
    this.unwritten.clear();
    return uses;
  }
}

const WRITE_MS = 5_000;

/** Writes the last uses of keys to the database, every few seconds in one statement. */
@Injectable()
export class UsedKeysWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Access');
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private failing = false;

  constructor(
    private readonly server: HttpAdapterHost<HttpAdapterHost['httpAdapter'] & { readonly usedKeys: UsedKeys }>,
    private readonly uses: KeyUses,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.writeNow(), WRITE_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.writing;
    await this.write();
  }

  private writeNow(): void {
    this.writing = this.writing.then(() => this.write());
  }

  /** Uses that could not be written are lost: the next use of the key corrects them. */
  private async write(): Promise<void> {
    const uses = this.server.httpAdapter.usedKeys.take();
    if (uses.length === 0) return;
    try {
      await this.uses.write(uses);
      this.failing = false;
    } catch (error) {
      const line = `Could not write down when API keys were used: ${(error as Error).message}`;
      if (!this.failing) sayUnlessAway(error, line, (said) => this.logger.warn(said));
      this.failing = true;
    }
  }
}
