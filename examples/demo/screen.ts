import { type Paint, paintFor } from '@waybill/cli/terminal';
import { type ProgressView, progressOn } from './progress.js';

const WIDTH = { least: 72, most: 120, unknown: 100 };

/** The stream that people read: stdout, or stderr if stdout is for a program. */
export class Screen {
  readonly paint: Paint;

  constructor(
    private readonly stream: NodeJS.WriteStream,
    env: NodeJS.ProcessEnv,
  ) {
    this.paint = paintFor(stream, env);
  }

  get width(): number {
    return Math.min(WIDTH.most, Math.max(WIDTH.least, this.stream.columns ?? WIDTH.unknown));
  }

  title(text: string, more: string): void {
    this.write(`\n  ${this.paint.bold(text)}  ${this.paint.dim(more)}\n\n`);
  }

  /** Prints that something is ready. */
  step(name: string, text: string): void {
    this.write(`  ${this.paint.green('✓')} ${name.padEnd(10)}${text}\n`);
  }

  progress(): ProgressView {
    this.write('\n');
    return progressOn(this.stream, this.paint);
  }

  /** Prints a block after a blank line. */
  block(text: string): void {
    this.write(`\n${text}`);
  }

  private write(text: string): void {
    this.stream.write(text);
  }
}
