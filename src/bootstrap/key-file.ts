import { Logger } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { type ApiKey, type ApiKeys, faultIn } from '../api/access/api-keys.js';

/** How often to read the file. The system's own notices miss files that are replaced, as mounted secrets are. */
const LOOK_MS = 1_000;

/**
 * Follows the file of API keys: a changed file takes effect without a restart. A file that cannot be read or has a fault
 * changes nothing; that is logged, and shown as a metric until the file is right.
 */
export class KeyFile {
  private readonly logger = new Logger('Access');
  private timer: NodeJS.Timeout | null = null;
  /** What the last look found, so that a fault is told once. */
  private seen = '';

  constructor(
    private readonly file: string,
    private readonly keys: ApiKeys,
    private readonly lookMs = LOOK_MS,
  ) {}

  start(): void {
    this.timer = setTimeout(() => void this.look(), this.lookMs).unref();
  }

  /** Safe to call twice. */
  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private async look(): Promise<void> {
    const read = await readFile(this.file, 'utf8').then(
      keysIn,
      (error: Error) => `it cannot be read: ${error.message}`,
    );
    // `stop` was called while it read.
    if (!this.timer) return;
    if (JSON.stringify(read) !== this.seen) this.take(read);
    this.seen = JSON.stringify(read);
    this.start();
  }

  private take(read: readonly ApiKey[] | string): void {
    this.keys.fault = typeof read === 'string' ? read : null;
    if (typeof read === 'string') {
      this.logger.error(`Expected WAYBILL_API_KEYS_FILE to have API keys, but ${read}: the keys stay as they were`);
    } else if (JSON.stringify(read) !== JSON.stringify(this.keys.all)) {
      this.keys.replace(read);
      this.logger.log(`The file of API keys has changed. Keys from now on: ${read.length}`);
    }
  }
}

/** The keys in the text of a file, or what is wrong with it. */
function keysIn(text: string): readonly ApiKey[] | string {
  try {
    const keys = JSON.parse(text) as unknown;
    return faultIn(keys) ?? (keys as readonly ApiKey[]);
  } catch (error) {
    return `it is no JSON: ${(error as Error).message}`;
  }
}
