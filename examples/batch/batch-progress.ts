import type { GraphNode, TaskGraph } from '@waybill/client';
import type { Paint } from '@waybill/cli/terminal';

const CLEAR_LINE = '\r\u001b[2K';

/**
 * Prints a line for each task that begins or ends, and on a terminal, below them, how far the running ones are. The
 * first graph is the state before the work.
 */
export class BatchProgress {
  private readonly states = new Map<string, string>();

  constructor(
    private readonly stream: NodeJS.WriteStream,
    private readonly paint: Paint,
  ) {}

  readonly show = ({ nodes }: TaskGraph): void => {
    this.clear();
    const when = this.states.size === 0 ? ' before' : '';
    for (const node of nodes) {
      if (this.states.get(node.id) !== node.state) this.tell(node, when);
      this.states.set(node.id, node.state);
    }
    const running = nodes.filter(({ state }) => state === 'running').map(words);
    if (this.stream.isTTY && running.length > 0) {
      this.stream.write(`  ${running.join(' · ')}`.slice(0, this.stream.columns - 1));
    }
  };

  /** Prints what was done from outside. */
  readonly note = (text: string): void => {
    this.clear();
    this.stream.write(`  ${this.paint.yellow('→')} ${text}\n`);
  };

  /** Frees the line of the running tasks. */
  clear(): void {
    if (this.stream.isTTY) this.stream.write(CLEAR_LINE);
  }

  private tell({ id, title, state }: GraphNode, when: string): void {
    // A task that waits is news only if it was further before.
    if (state === 'pending' && !this.states.has(id)) return;
    this.stream.write(`  ${this.sign(state)} ${title} ${this.paint.dim(state + when)}\n`);
  }

  private sign(state: string): string {
    if (state === 'succeeded') return this.paint.green('✓');
    if (state === 'running') return this.paint.cyan('▸');
    return state === 'pending' || state === 'cancelled' ? '○' : this.paint.red('✗');
  }
}

const words = ({ title, percent }: GraphNode): string => (percent === undefined ? title : `${title} ${percent} %`);
