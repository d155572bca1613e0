import type { EnqueueResult, Prerequisite } from '@waybill/contracts';
import { uuidv7 } from 'uuidv7';
import { assertOptions } from '../call-options.js';
import type { QueueHandle } from '../queue-handle.js';
import type { EnqueueOptions } from '../submissions.js';
import type { Handler } from '../worker/attempt.js';
import type { DirectRun, DirectRuns } from './direct-runs.js';
import { functionHandler, type Registered, type Work } from './function-handler.js';
import type { RunState } from './run-state.js';

export interface FunctionOptions<Args extends readonly any[]> {
  /** Runs before every attempt but the first, to undo what an interrupted one left. */
  readonly cleanUp?: Work<Args>;
}

export type ApplyOptions = Omit<EnqueueOptions, 'kind' | 'after'> & {
  /** What must be done first: tasks, as `apply` returns them, or batches. */
  readonly after?: readonly (Prerequisite | { readonly id: string })[];
};

/** A function whose every call is a task with its own record. */
export interface TaskFunction<Args extends readonly any[] = readonly any[], Result = unknown> {
  /** Runs the function here and now. Throws what it throws, and `Stopped` if the task is cancelled. */
  (...args: Args): Promise<Result>;
  readonly kind: string;
  /** The name of its queue. */
  readonly queue: string;
  /** Enqueues the call for a worker. */
  apply(args: Args, options?: ApplyOptions): Promise<EnqueueResult>;
  /** Like `apply`, for a time in the future. */
  defer(at: Date | string, args: Args, options?: Omit<ApplyOptions, 'dueAt'>): Promise<EnqueueResult>;
  /** Runs the function in this process, in the background. Resolves when it has started. */
  bg(...args: Args): Promise<BackgroundRun<Result>>;
}

export interface BackgroundRun<Result> extends DirectRun {
  /** You may ignore it: a failure is recorded with the task. */
  readonly result: Promise<Result>;
}

/** The task functions of an object: its methods with an id and a run in front, which must be decorated with `task`. */
export type FunctionsOf<T> = {
  readonly [K in keyof T as TakesRun<T[K]> extends true ? K : never]: T[K] extends Work<infer Args, infer Result>
    ? TaskFunction<Args, Awaited<Result>>
    : never;
};

type TakesRun<F> = F extends (...given: infer Given) => unknown
  ? Given extends readonly [string, RunState, ...unknown[]]
    ? true
    : false
  : false;

/** Marks a method as a task function, with either kind of TypeScript's decorators. */
type MarkMethod = (target: any, context: any, descriptor?: PropertyDescriptor) => void;

/** Functions whose calls are tasks of one queue. */
export class TaskFunctions {
  /** Runs them in a worker: `worker.handle(functions)`. */
  readonly handler: Handler;
  private readonly registered = new Map<string, Registered>();
  private readonly marked = new Map<unknown, FunctionOptions<any> & { readonly kind: string }>();

  constructor(
    readonly queue: QueueHandle,
    private readonly runs: DirectRuns,
  ) {
    this.handler = functionHandler(this.registered);
  }

  /** Makes a function a task function. `kind` names it for ever, in the form `module:function`. */
  task<Args extends readonly any[], Result>(
    kind: string,
    work: Work<Args, Result>,
    options?: FunctionOptions<Args>,
  ): TaskFunction<Args, Awaited<Result>>;
  /** Marks a method: `@functions.task('links:make')`. Call `of` with the object to get its task functions. */
  task(kind: string, options?: FunctionOptions<any>): MarkMethod;
  task(kind: string, of: Work | FunctionOptions<any> = {}, more: FunctionOptions<any> = {}): TaskFunction | MarkMethod {
    assertOptions('functions.task', typeof of === 'function' ? more : of);
    if (typeof of === 'function') return this.register(kind, { work: of, ...more });
    const mark: MarkMethod = (target, _, descriptor) =>
      void this.marked.set(descriptor?.value ?? target, { kind, ...of });
    return mark;
  }

  /** The task functions of an object whose methods are marked. Workers run them on this object. */
  of<T extends object>(object: T): FunctionsOf<T> {
    const found = methodsOf(object).flatMap(([name, method]) => {
      const mark = this.marked.get(method);
      if (!mark) return [];
      const registered = { work: method.bind(object) as Work, cleanUp: mark.cleanUp?.bind(object) };
      return [[name, this.register(mark.kind, registered)]];
    });
    if (found.length === 0)
      throw new Error('Expected an object with methods that are marked as task functions, but it has none');
    return Object.fromEntries(found) as FunctionsOf<T>;
  }

  private register(kind: string, registered: Registered): TaskFunction {
    if (this.registered.has(kind)) throw new Error(`Expected one function '${kind}', but got a second`);
    this.registered.set(kind, registered);
    const apply: TaskFunction['apply'] = async (args, options = {}) => {
      assertOptions('apply of a function', options);
      const after = options.after?.map(prerequisiteOf);
      return this.queue.enqueue(args, { ...options, kind, after });
    };
    const bg: TaskFunction['bg'] = async (...args) => {
      const run = await this.start(kind, args);
      run.result.catch(() => undefined);
      return run;
    };
    const defer: TaskFunction['defer'] = async (at, args, options = {}) => {
      assertOptions('defer of a function', options);
      return apply(args, { ...options, dueAt: at });
    };
    const call = async (...args: readonly any[]): Promise<unknown> => (await this.start(kind, args)).result;
    return Object.assign(call, { kind, queue: this.queue.name, apply, defer, bg });
  }

  private start(kind: string, payload: readonly any[]): Promise<DirectRun> {
    return this.runs.start({ id: uuidv7(), queue: this.queue.name, kind, payload }, this.handler);
  }
}

const prerequisiteOf = (one: Prerequisite | { readonly id: string }): Prerequisite =>
  'id' in one ? { task: one.id } : one;

/** The methods of an object and its classes, the most specific ones. Reads no getter. */
function methodsOf(object: object): readonly (readonly [name: string, method: (...args: any[]) => unknown])[] {
  const methods = new Map<string, unknown>();
  for (let of = object; of !== Object.prototype && of !== null; of = Object.getPrototypeOf(of) as object) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(of)))
      if (!methods.has(name)) methods.set(name, value);
  }
  return [...methods].filter((entry): entry is [string, () => unknown] => typeof entry[1] === 'function');
}
