import type { Command } from 'commander';
import type { Open, Session } from '../session.js';
import { Live, type Picture } from '../terminal/live.js';
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
      if (session.stdout.isTTY && !session.printer.json) return new Live(session, new Top(session)).run();
      const view = await topView(session.waybill);
      const { width, paint } = session.printer;
      const lines = () => linesOfTop(view, new Rates(), view.at, false, { width, paint, height: Infinity });
      await session.printer.show({ ...view, at: new Date(view.at).toISOString() }, lines);
    });
}

class Top implements Picture {
  private readonly rates = new Rates();
  private view!: TopView;

  constructor(private readonly session: Session) {}

  async look(): Promise<void> {
    this.view = await topView(this.session.waybill);
    this.rates.see(this.view.at, this.view.queues);
  }

  lines(now: number, lost: boolean): readonly string[] {
    const { stdout, printer } = this.session;
    const screen = { width: stdout.columns, height: stdout.rows, paint: printer.paint };
    return linesOfTop(this.view, this.rates, now, lost, screen);
  }
}
