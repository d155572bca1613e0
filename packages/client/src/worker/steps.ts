import { jsonCopy } from '../json.js';
import type { Handler } from './attempt.js';
import type { Run, ReportOutcome } from './run.js';
import type { Task, TaskData } from './task.js';
import { Unserved } from './unserved.js';
import { type CompletedStep, IllegalVerdict, returnedBy, Verdict, verdictOf } from './verdicts.js';

/**
 * The handlers of steps, by the names of the steps. What a handler returns or throws is the outcome of its step:
 * a value, `run.succeed(result)` and `run.noChange()` complete it, as `run.done({ data })` does, which also changes the
 * data of the task.
 */
export type StepHandlers<Payload = any, Data = TaskData> = Readonly<Record<string, Handler<Payload, Data>>>;

/**
 * A handler of tasks with steps. Its worker claims only tasks that are at a step that has a handler here. It runs the steps
 * one after the other under one claim, records each as it is done, and hands the task on to other workers before a step
 * that has no handler here, and before the next step if the worker stops. A failure fails the task at its step.
 * If the worker dies, the next one begins at the step that was not completed. Each handler gets the task with the data that were recorded
 * before its step, by this worker or another.
 */
export function steps<Payload = any, Data = TaskData>(handlers: StepHandlers<Payload, Data>): Handler<Payload> {
  const byStep = new Map(Object.entries(handlers)) as ReadonlyMap<string, Handler<Payload>>;
  if (byStep.size === 0) throw new Error('Expected a handler of at least one step, but got none');
  const unserved = new Unserved();
  const handler = (task: Task<Payload>, run: Run<Payload>): Verdict | Promise<Verdict> =>
    byStep.has(task.step ?? '')
      ? new StepsRun(byStep, run, task).outcome()
      : unserved.giveBack(task.taskId, notHandled(task, [...byStep.keys()]));
  return Object.assign(handler, { steps: [...byStep.keys()] });
}

/** The steps of one attempt. */
class StepsRun<Payload> {
  constructor(
    private readonly handlers: ReadonlyMap<string, Handler<Payload>>,
    private readonly run: Run<Payload>,
    /** The task as the current step sees it. What is recorded meanwhile is for the next one. */
    private task: Task<Payload>,
    private data = task.data,
  ) {}

  async outcome(): Promise<Verdict> {
    for (;;) {
      const verdict = verdictOf(await returnedBy(this.runStep()));
      const completed = completionOf(this.task, verdict);
      const next = stepAfter(this.task);
      if (completed === null || next === undefined) return verdict;
      if (!this.handlers.has(next) || this.run.stopping) return new Verdict({ ...completed, then: 'offer' });
      await this.goOn(completed);
    }
  }

  private runStep(): unknown {
    return this.handlers.get(this.task.step!)!(
      this.task,
      this.run.at(this.task, (verdict) => this.tell(verdict)),
    );
  }

  private async tell(verdict: Parameters<Run['tell']>[0]): Promise<ReportOutcome> {
    if (verdict.type === 'completeStep')
      throw new IllegalVerdict(
        `Expected the handler of step '${this.task.step}' to return run.done(), but it called run.completeStep()`,
      );
    const told = await this.run.tell(verdict);
    if (verdict.type === 'record') this.data = changed(this.data, verdict.data);
    return told;
  }

  private async goOn(completed: CompletedStep): Promise<void> {
    const { step = null, lastSuccessfulStep = null } = await this.run.tell({ ...completed, then: 'continue' });
    this.data = changed(this.data, completed.data);
    const { priority = this.task.priority } = completed;
    this.task = { ...this.task, step, lastSuccessfulStep, priority, data: this.data };
  }
}

/** How the verdict completes the task's step; null if it does not. */
function completionOf({ step }: Task<any>, { settlement }: Verdict): CompletedStep | null {
  if (settlement?.type === 'completeStep') return settlement;
  if (settlement?.type !== 'succeed') return null;
  const { result } = settlement;
  return { type: 'completeStep', step: step!, then: 'continue', ...(result !== undefined && { result }) };
}

const stepAfter = ({ step, steps: all = [] }: Task<any>): string | undefined => all[all.indexOf(step!) + 1];

/** As the service merges them: a member takes the place of the one of the same name, and null removes it. */
const changed = (data: TaskData, patch: TaskData | undefined): TaskData =>
  patch === undefined
    ? data
    : Object.fromEntries(
        Object.entries({ ...data, ...(jsonCopy(patch) as TaskData) }).filter(([, value]) => value !== null),
      );

const notHandled = ({ taskId, step }: Task<any>, handled: readonly string[]): string =>
  `Expected task '${taskId}' to be at one of the steps ${handled.join(', ')}, but it is at ${step === null ? 'none' : `'${step}'`}`;
