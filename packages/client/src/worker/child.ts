import type { ChildProcess } from 'node:child_process';
import type { PrerequisiteResult, SettleVerdict } from '@waybill/contracts';
import { assertOptions } from '../call-options.js';
import type { Handler } from './attempt.js';
import type { LogOptions } from './log-lines.js';
import type { Progress } from './progress-bars.js';
import { Run, Stopped, type StopReason, type ReportOutcome } from './run.js';
import type { Task } from './task.js';
import { memberOf } from './thrown.js';
import { NotServed, Unserved } from './unserved.js';
import { isFinal, reportOf, returnedBy, sendable, Verdict, verdictOf } from './verdicts.js';

/** From the worker to the child. */
type Order =
  | {
      readonly type: 'run';
      readonly task: Task<any>;
      readonly items: readonly Task<any>[];
      readonly fencingToken: string;
    }
  | { readonly type: 'windDown' }
  | { readonly type: 'stop'; readonly reason: StopReason }
  | { readonly type: 'told'; readonly number: number; readonly told: ReportOutcome | readonly PrerequisiteResult[] };

/** From the child to the worker. */
type Report =
  | { readonly type: 'progress'; readonly title: string; readonly progress: Progress }
  | { readonly type: 'log'; readonly text: string; readonly options: LogOptions | undefined }
  | { readonly type: 'tell'; readonly number: number; readonly verdict: SettleVerdict; readonly item?: string }
  | { readonly type: 'results'; readonly number: number }
  | { readonly type: 'ended'; readonly settlement: SettleVerdict | null }
  | { readonly type: 'unserved'; readonly reason: string; readonly unknownKind: boolean }
  | { readonly type: 'stopped' }
  | {
      readonly type: 'failed';
      readonly error: {
        readonly message: string;
        readonly stack?: string;
        readonly class?: string;
        readonly final?: boolean;
      };
    };

/** Runs tasks in this process: the handler itself. */
export const inProcess = <Payload = any>(handler: Handler<Payload>): Handler<Payload> => handler;

export interface ChildOptions {
  /** The names of the steps, if the file calls `asChild` with a handler of `steps`: its worker claims only these. */
  readonly steps?: readonly string[];
}

/**
 * Runs each task in a process of its own, so that a computation blocks no heartbeat, and a task whose lease is lost is
 * killed. `module`: a file that calls `asChild` with the handler; a relative path begins at the working directory.
 */
export function inChild(module: string | URL, options: ChildOptions = {}): Handler<any> {
  assertOptions('inChild', options);
  const { steps } = options;
  if (steps?.length === 0) throw new Error('Expected the name of at least one step, but got none');
  const unserved = new Unserved();
  const handler: Handler<any> = (task, run) => new ChildRun(module, task, run, unserved).outcome;
  return steps ? Object.assign(handler, { steps: [...steps] }) : handler;
}

class ChildRun {
  readonly outcome: Promise<Verdict>;
  private readonly child: ChildProcess;

  constructor(
    module: string | URL,
    private readonly task: Task<any>,
    private readonly run: Run<any>,
    /** Of the worker, because each task has a process of its own. */
    private readonly unserved: Unserved,
  ) {
    const { fork } = process.getBuiltinModule('node:child_process');
    const env = { ...process.env, [PARENT]: String(process.pid) };
    this.child = fork(module, { serialization: 'advanced', env });
    this.outcome = new Promise<Verdict>((resolve, reject) => {
      this.child.on('message', (report: Report) => void this.hear(report, resolve, reject).catch(reject));
      this.child.on('error', reject);
      this.child.on('exit', (code, signal) => reject(run.signal.reason ?? endedEarly(task, signal ?? code)));
    }).finally(() => this.child.connected && this.child.disconnect());
    const items = run.items.map((item) => item.task);
    this.order({ type: 'run', task, items, fencingToken: run.fencingToken });
    onceAborted(run.windDown, () => this.order({ type: 'windDown' }));
    onceAborted(run.signal, () => this.stop());
  }

  private stop(): void {
    const reason = this.run.stopReason!;
    if (ENDED.has(reason)) this.child.kill('SIGKILL');
    else this.order({ type: 'stop', reason });
  }

  /** A child that has ended gets nothing. Its exit is the outcome. */
  private order(order: Order): void {
    if (this.child.connected) this.child.send(order);
  }

  private async hear(report: Report, resolve: (verdict: Verdict) => void, reject: (error: unknown) => void) {
    if (report.type === 'progress') this.run.progress(report.title, report.progress);
    else if (report.type === 'log') this.run.log(report.text, report.options);
    else if (report.type === 'results')
      this.order({ type: 'told', number: report.number, told: [...(await this.run.results())] });
    else if (report.type === 'ended') resolve(new Verdict(report.settlement));
    else if (report.type === 'unserved') resolve(this.unserved.giveBack(this.task.taskId, report.reason, report));
    else if (report.type === 'stopped') reject(this.run.signal.reason);
    else if (report.type === 'failed') reject(Object.assign(new Error(report.error.message), report.error));
    else this.order({ type: 'told', number: report.number, told: await this.passOn(report) });
  }

  private async passOn({ verdict, item }: Extract<Report, { readonly type: 'tell' }>): Promise<ReportOutcome> {
    if (item === undefined) return this.run.tell(verdict);
    return { state: await this.run.items.find(({ task }) => task.taskId === item)!.settle(new Verdict(verdict)) };
  }
}

/** With these the attempt is over. */
const ENDED: ReadonlySet<StopReason> = new Set(['lease-lost', 'offered', 'waiting']);

function onceAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

const endedEarly = (task: Task<any>, how: unknown): Error =>
  new Error(`Expected the process of task '${task.taskId}' to report an outcome, but it ended (${String(how)})`);

/** Which worker started the process. Test runners, process managers and others start processes with a channel, too. */
const PARENT = 'WAYBILL_CHILD_OF';

/** What this process runs. A file that calls `asChild` may import another that does; the one that was started is read last. */
let served: Handler<any> | null = null;

/**
 * Makes this process run the handler for the worker that started it with `inChild`. Returns the handler, for tests and for
 * `inProcess`. In any other process, it does nothing else.
 */
export function asChild<Payload = any>(handler: Handler<Payload>): Handler<Payload> {
  if (process.env[PARENT] !== String(process.ppid)) return handler;
  if (served === null) serve();
  served = handler;
  return handler;
}

function serve(): void {
  // The worker decides when the child stops, also if a signal reaches both.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  const [windingDown, stopping] = [new AbortController(), new AbortController()];
  const tellings = new Tellings();
  process.on('message', (order: Order) => {
    if (order.type === 'told') tellings.answer(order);
    else if (order.type === 'windDown') windingDown.abort();
    else if (order.type === 'stop') stopping.abort(order.reason);
    else void perform(served!, order, { windDown: windingDown.signal, stopping: stopping.signal }, tellings);
  });
}

const report = (what: Report): void => void process.send!(what);

/** The reports and questions that wait for the service's answer. */
class Tellings {
  private readonly open = new Map<number, (told: any) => void>();
  private last = 0;

  tell(verdict: SettleVerdict, item?: string): Promise<ReportOutcome> {
    const number = ++this.last;
    report({ type: 'tell', number, verdict: sendableOf(verdict), ...(item !== undefined && { item }) });
    return this.answerTo(number);
  }

  results(): Promise<readonly PrerequisiteResult[]> {
    const number = ++this.last;
    report({ type: 'results', number });
    return this.answerTo(number);
  }

  private answerTo<Told>(number: number): Promise<Told> {
    return new Promise((resolve) => this.open.set(number, resolve));
  }

  answer({ number, told }: Extract<Order, { readonly type: 'told' }>): void {
    this.open.get(number)!(told);
    this.open.delete(number);
  }
}

async function perform(
  handler: Handler<any>,
  { task, items, fencingToken }: Extract<Order, { readonly type: 'run' }>,
  { windDown, stopping }: { readonly windDown: AbortSignal; readonly stopping: AbortSignal },
  tellings: Tellings,
): Promise<void> {
  const controller = new AbortController();
  stopping.addEventListener('abort', () => controller.abort(new Stopped(stopping.reason as StopReason, task)));
  const context = {
    signal: controller.signal,
    tell: (verdict: SettleVerdict) => tellings.tell(verdict),
    progressed: (title: string, progress: Progress) => report({ type: 'progress', title, progress }),
    said: (text: string, options?: LogOptions) => report({ type: 'log', text, options }),
    windDown,
    results: () => tellings.results(),
    items: {
      tasks: items,
      settle: async (taskId: string, verdict: SettleVerdict) => (await tellings.tell(verdict, taskId)).state,
    },
  };
  try {
    const verdict = verdictOf(await returnedBy(handler(task, new Run(task, { token: fencingToken }, context))));
    report(verdict instanceof NotServed ? unservedBy(verdict) : endedWith(verdict));
  } catch (error) {
    if (controller.signal.aborted && isAbort(error)) return report({ type: 'stopped' });
    const { details, ...said } = reportOf(error);
    report({ type: 'failed', error: { ...said, ...(details as object | undefined), final: isFinal(error) } });
  }
}

const unservedBy = ({ reason, unknownKind }: NotServed): Report => ({ type: 'unserved', reason, unknownKind });

const endedWith = ({ settlement }: Verdict): Report => ({
  type: 'ended',
  settlement: settlement && sendableOf(settlement),
});

/** As the service will get it. A channel between processes refuses some values that JSON leaves out, such as functions. */
const sendableOf = (verdict: SettleVerdict): SettleVerdict => sendable(verdict, `Expected to report '${verdict.type}'`);

const isAbort = (error: unknown): boolean => memberOf(error, 'name') === 'AbortError';
