import type { BatchHandle, TaskDetails, TaskGraph, Waybill } from '@waybill/client';
import { harmless } from '@waybill/client/words';
import { setTimeout as pause } from 'node:timers/promises';
import { watchBatch, type WatchOptions } from '../batch/watch-batch.js';
import type { BuildNode } from './nodes.js';
import { defineQueue, planBuild } from './plan.js';

/** The service and its workers. Both are replaced by a deployment. */
export interface Stage {
  /** A client of the service that runs now. */
  readonly waybill: Waybill;
  startWorkers(): Promise<void>;
  stopWorkers(): Promise<void>;
  restartService(): Promise<void>;
}

/** What happens to a build on its way. */
export interface Scenario {
  readonly nodes: readonly BuildNode[];
  readonly folder: string;
  /** The part that fails, and its repair. */
  readonly broken: string;
  readonly repair: () => Promise<void>;
  /** The part that is aborted before it runs. */
  readonly unwanted: string;
  /** A version is deployed as soon as this part has begun. */
  readonly deployAt: string;
}

export interface BuildOptions extends Pick<WatchOptions, 'signal' | 'onLook'> {
  readonly onNote: (text: string) => void;
}

export interface Built {
  readonly graph: TaskGraph;
  /** By their names. */
  readonly tasks: ReadonlyMap<string, TaskDetails>;
  /** The parts that the deployment stopped. */
  readonly stopped: readonly string[];
}

const LOOK_MS = 100;

/** Builds, with all that the scenario demands. */
export async function build(stage: Stage, scenario: Scenario, options: BuildOptions): Promise<Built> {
  const run = await BuildRun.begin(stage, scenario, options);
  await run.abortUnwanted();
  await stage.startWorkers();
  await run.watch((graph) => stateIn(graph, scenario.broken) === 'failed');
  await run.repairBroken();
  await run.watch((graph) => stateIn(graph, scenario.deployAt) !== 'pending');
  const stopped = await run.deploy();
  const graph = await run.watch();
  return { graph, stopped, tasks: await run.tasks() };
}

const stateIn = ({ nodes }: TaskGraph, name: string) => nodes.find(({ title }) => title === name)?.state;

/** One batch on the stage. */
class BuildRun {
  private constructor(
    private readonly stage: Stage,
    private readonly scenario: Scenario,
    private readonly options: BuildOptions,
    private readonly id: string,
  ) {}

  static async begin(stage: Stage, scenario: Scenario, options: BuildOptions): Promise<BuildRun> {
    await defineQueue(stage.waybill);
    const { id } = await planBuild(stage.waybill, scenario.nodes, scenario.folder).submit();
    return new BuildRun(stage, scenario, options, id);
  }

  private get batch(): BatchHandle {
    return this.stage.waybill.batch(this.id);
  }

  async watch(until: WatchOptions['until'] = () => false): Promise<TaskGraph> {
    return watchBatch(this.stage.waybill, this.batch, { ...this.options, until });
  }

  async tasks(): Promise<Map<string, TaskDetails>> {
    const { items } = await this.stage.waybill.tasks.page({ batch: this.id }, { limit: 100 });
    const details = items.map(
      async ({ id, reference }) => [reference!, await this.stage.waybill.task(id).get()] as const,
    );
    return new Map(await Promise.all(details));
  }

  async abortUnwanted(): Promise<void> {
    const { unwanted } = this.scenario;
    this.options.onLook?.(await this.batch.graph());
    this.options.onNote(`Somebody aborts '${unwanted}': what waits for it is aborted as well`);
    const task = (await this.tasks()).get(unwanted)!;
    await this.stage.waybill.task(task.id).abort({ reason: 'Not needed today' });
  }

  async repairBroken(): Promise<void> {
    const { broken, repair } = this.scenario;
    const { id, error } = (await this.tasks()).get(broken)!;
    this.options.onNote(`'${broken}' failed: ${lastLineOf(error?.message ?? '')}`);
    await repair();
    this.options.onNote(`Somebody repairs it and retries '${broken}': what waits for it goes on`);
    await this.stage.waybill.task(id).retry({ reason: 'The source is repaired' });
  }

  /** Returns the names of the parts that were stopped. */
  async deploy(): Promise<string[]> {
    const { onNote } = this.options;
    onNote('A new version is deployed: the system drains, and what runs is stopped');
    await this.stage.waybill.system.drain({ running: 'cancel', reason: 'A new version is deployed' });
    await this.untilNone('running');
    const stopped = [...(await this.tasks())].filter(([, { state }]) => state === 'cancelled').map(([name]) => name);
    this.options.onLook?.(await this.batch.graph());
    onNote('Nothing runs any more: the workers get SIGTERM, and the service starts anew');
    await this.stage.stopWorkers();
    await this.stage.restartService();
    await this.stage.startWorkers();
    onNote(`The system resumes${stopped.length > 0 ? `, and with it ${stopped.join(' and ')}` : ''}`);
    await this.stage.waybill.system.resume({ reason: 'The new version runs' });
    await this.untilNone('stopped');
    return stopped;
  }

  /** Waits until no task of the system runs, or none is still stopped by the drain. */
  private async untilNone(which: 'running' | 'stopped'): Promise<void> {
    while ((await this.stage.waybill.system.get())[which] > 0) await pause(LOOK_MS, null, this.options);
  }
}

const lastLineOf = (message: string): string => harmless(message.trim().split('\n').at(-1)!);
