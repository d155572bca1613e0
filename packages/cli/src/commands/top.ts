import { type Waybill, WaybillUnavailable } from '@waybill/client';
import type { Command } from 'commander';
import type { Readable } from 'node:stream';
import type { Open, Session } from '../session.js';
import { Rates } from '../top/rates.js';
import { linesOfTop } from '../top/screen.js';
import { topView, type TopView } from '../top/view.js';

export function addTopCommand(program: Command, open: Open): void {
  program
    .command('top')
    .description('show what goes on: queues, rates and failures, as they change; q or Ctrl-C ends it')
    .addHelpText('after', '\nWithout a terminal it prints one screen and ends.')
    .action(async (_: object, command: Command) => {
      const session = open(command);
      if (session.stdout.isTTY && !session.printer.json) return new Top(session).run();
      const view = await topView(session.waybill);
      const { width, paint } = session.printer;
      const lines = () => linesOfTop(view, new Rates(), view.at, false, { width, paint, height: Infinity });
      await session.printer.show({ ...view, at: new Date(view.at).toISOString() }, lines);
    });
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

/** Asks the service when it says that something has changed. */
class Top {
  private readonly rates = new Rates();
  private readonly over = new AbortController();
  private view: TopView | null = null;
  private fault: unknown = null;

  constructor(private readonly session: Session) {}

  async run(): Promise<void> {
    const { waybill, stdout, stdin } = this.session;
    await this.look(waybill);
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

  /** Something was heard, so the service is there. A look that it does not answer is made with what it says next. */
  private async lookAgain(): Promise<void> {
    try {
      await this.look(this.session.waybill);
      this.draw();
    } catch (error) {
      if (error instanceof WaybillUnavailable || this.over.signal.aborted) return;
      this.fault = error;
      this.over.abort();
    }
  }

  private async look(waybill: Waybill): Promise<void> {
    this.view = await topView(waybill);
    this.rates.see(this.view.at, this.view.queues);
  }

  private draw(): void {
    if (this.view === null || this.over.signal.aborted) return;
    const { stdout, printer } = this.session;
    const screen = { width: stdout.columns, height: stdout.rows, paint: printer.paint };
    const now = Date.now();
    const isLost = now - this.view.at > SILENCE_MS;
    const lines = linesOfTop(this.view, this.rates, now, isLost, screen).slice(0, stdout.rows - 1);
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
