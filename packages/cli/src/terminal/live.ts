import { type Waybill, WaybillUnavailable } from '@waybill/client';
import type { Readable } from 'node:stream';
import type { Session } from '../session.js';

/** What a screen shows that is drawn anew when something has changed. */
export interface Picture {
  /** Asks the service. Only one look is under way. */
  look(): Promise<void>;
  /** The lines of the last look. `lost`: nothing has been heard of the service since. */
  lines(now: number, lost: boolean): readonly string[];
}

const SCREEN = {
  enter: '\u001b[?1049h\u001b[?25l',
  leave: '\u001b[?25h\u001b[?1049l',
  begin: '\u001b[H',
  end: '\u001b[J',
};
const LINE_END = '\u001b[K';
/** How long something waits goes on while nothing changes. */
const CLOCK_MS = 1_000;
/** The service says something every 15 seconds, also if nothing has changed. */
const SILENCE_MS = 20_000;

/** Fills the terminal with a picture until somebody types q or Ctrl-C. Asks the service when it says that something has changed. */
export class Live {
  private readonly over = new AbortController();
  private heardAt = Date.now();
  private fault: unknown = null;
  private looks: Promise<void> = Promise.resolve();

  constructor(
    private readonly session: Pick<Session, 'stdin' | 'stdout'> & { readonly waybill: Waybill },
    private readonly picture: Picture,
  ) {}

  async run(): Promise<void> {
    const { waybill, stdout, stdin } = this.session;
    await this.look();
    const stopKeys = onQuit(stdin, () => this.over.abort());
    const draw = (): void => this.draw();
    const clock = setInterval(draw, CLOCK_MS);
    stdout.write(SCREEN.enter);
    stdout.on('resize', draw);
    try {
      this.draw();
      const onPosition = (): void => void this.lookAgain();
      for await (const _ of waybill.followChanges({ signal: this.over.signal, onPosition })) await this.lookAgain();
    } finally {
      clearInterval(clock);
      stdout.off('resize', draw);
      stopKeys();
      stdout.write(SCREEN.leave);
    }
    if (this.fault !== null) throw this.fault;
  }

  /** After the look that is under way. */
  private lookAgain(): Promise<void> {
    this.looks = this.looks.then(() => this.show());
    return this.looks;
  }

  /** Something was heard, so the service is there. A look that it does not answer is made with what it says next. */
  private async show(): Promise<void> {
    try {
      await this.look();
      this.draw();
    } catch (error) {
      if (error instanceof WaybillUnavailable || this.over.signal.aborted) return;
      this.fault = error;
      this.over.abort();
    }
  }

  private async look(): Promise<void> {
    await this.picture.look();
    this.heardAt = Date.now();
  }

  private draw(): void {
    if (this.over.signal.aborted) return;
    const { stdout } = this.session;
    const now = Date.now();
    const lines = this.picture.lines(now, now - this.heardAt > SILENCE_MS).slice(0, stdout.rows - 1);
    stdout.write(`${SCREEN.begin}${lines.map((line) => `${line}${LINE_END}`).join('\n')}\n${SCREEN.end}`);
  }
}

/** The last two are Ctrl-C and Ctrl-D, which a terminal in raw mode passes on. */
const QUIT = ['q', 'Q', '\u0003', '\u0004'];

/** Calls back when somebody types q or Ctrl-C, or sends a signal. Returns what gives the keyboard back. */
function onQuit(stdin: Readable, quit: () => void): () => void {
  const keyboard = stdin as NodeJS.ReadStream;
  const typed = (keys: Buffer): void => {
    if (QUIT.some((key) => keys.includes(key))) quit();
  };
  if (keyboard.isTTY) keyboard.setRawMode(true);
  keyboard.on('data', typed);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, quit);
  return () => {
    if (keyboard.isTTY) keyboard.setRawMode(false);
    keyboard.off('data', typed).pause();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, quit);
  };
}
