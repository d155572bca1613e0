import cliProgress from 'cli-progress';
import type { Paint } from '@waybill/cli/terminal';
import { byClass, count, duration } from '@waybill/client/words';
import type { Progress } from './ingest.js';
import { doneOf } from './tally.js';

/** Shows the progress of the work. */
export interface ProgressView {
  show(progress: Progress): void;
  /** Frees the screen for other output. */
  end(): void;
}

/** A bar on a terminal, and otherwise a line every few seconds. */
export const progressOn = (stream: NodeJS.WriteStream, paint: Paint): ProgressView =>
  stream.isTTY ? new Bar(stream, paint) : new Lines(stream);

/** On a narrow terminal, the figures are more useful than the bar. */
const barWidth = (stream: NodeJS.WriteStream): number => (stream.columns >= 100 ? 28 : 12);

/** Beside the bar, its percentage, and the blanks between. */
const roomOf = (stream: NodeJS.WriteStream): number => stream.columns - barWidth(stream) - 10;

class Bar implements ProgressView {
  private readonly rate = new Rate();
  private readonly bar: cliProgress.SingleBar;

  constructor(
    private readonly stream: NodeJS.WriteStream,
    paint: Paint,
  ) {
    this.bar = new cliProgress.SingleBar({
      stream,
      format: (_options, { progress }, { words }: { words: string }) => {
        const width = barWidth(stream);
        const filled = Math.floor(progress * width);
        const bar = paint.green('█'.repeat(filled)) + paint.dim('░'.repeat(width - filled));
        return `  ${bar} ${paint.bold(`${Math.floor(progress * 100)} %`.padStart(5))}  ${words}`;
      },
      hideCursor: true,
      clearOnComplete: true,
      linewrap: false,
      // The demo handles Ctrl-C itself.
      gracefulExit: false,
    });
    this.bar.start(1, 0, { words: 'looking for files' });
  }

  show(progress: Progress): void {
    const done = doneOf(progress);
    this.bar.setTotal(Math.max(done + progress.open, 1));
    this.bar.update(done, { words: wordsOf(progress, this.rate.at(done), roomOf(this.stream)) });
  }

  end(): void {
    this.bar.stop();
  }
}

const LINE_MS = 3_000;

class Lines implements ProgressView {
  private readonly rate = new Rate();
  private last = performance.now();

  constructor(private readonly stream: NodeJS.WriteStream) {}

  show(progress: Progress): void {
    const perSecond = this.rate.at(doneOf(progress));
    if (performance.now() - this.last < LINE_MS) return;
    this.last = performance.now();
    this.stream.write(`  ${wordsOf(progress, perSecond)}\n`);
  }

  end(): void {}
}

/** What does not fit is left out from the end. */
function wordsOf(progress: Progress, perSecond: number, room = Infinity): string {
  const { open, failed, failuresByClass, scanning, beside } = progress;
  const done = doneOf(progress);
  const left = scanning || perSecond === 0 ? 'scanning' : `${duration((open / perSecond) * 1_000)} left`;
  const parts = [
    `${count(done)} of ${count(done + open)}${scanning ? '+' : ''} tasks`,
    `${count(perSecond)}/s`,
    ...(failed > 0 ? [`failed: ${byClass(failuresByClass)}`] : []),
    left,
    ...beside,
  ];
  while (parts.length > 1 && parts.join(BETWEEN).length > room) parts.pop();
  return parts.join(BETWEEN);
}

const BETWEEN = ' · ';

const WINDOW_MS = 4_000;

/** The rate per second over the last few seconds. */
class Rate {
  private readonly looks: { readonly at: number; readonly done: number }[] = [];

  at(done: number): number {
    const now = performance.now();
    this.looks.push({ at: now, done });
    while (this.looks.length > 2 && this.looks[1]!.at < now - WINDOW_MS) this.looks.shift();
    const first = this.looks[0]!;
    return now > first.at ? ((done - first.done) / (now - first.at)) * 1_000 : 0;
  }
}
