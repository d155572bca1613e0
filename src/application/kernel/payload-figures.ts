import { Injectable } from '@nestjs/common';

/** What this process did with payloads outside the log. No event counts it. */
@Injectable()
export class PayloadFigures {
  readonly stored = { count: 0, bytes: 0 };
  readonly read = { count: 0, bytes: 0 };
  swept = 0;
  private readonly failed = new Map<string, number>();

  wrote(bytes: number): void {
    this.stored.count++;
    this.stored.bytes += bytes;
  }

  gave(bytes: number): void {
    this.read.count++;
    this.read.bytes += bytes;
  }

  failedBy(code: string): void {
    this.failed.set(code, (this.failed.get(code) ?? 0) + 1);
  }

  get failures(): readonly (readonly [code: string, count: number])[] {
    return [...this.failed];
  }
}
