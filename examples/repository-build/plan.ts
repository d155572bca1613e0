import type { BatchPlan, PlannedTask, Waybill } from '@waybill/client';
import type { BuildNode } from './nodes.js';
import { runCommand } from './run-command.js';

export const QUEUE = 'repository-build';

/** Short, because workers hear with their heartbeats, three in a lease, that they must stop. */
const LEASE_MS = 3_000;

export const defineQueue = (waybill: Waybill) =>
  waybill.queue(QUEUE).define({ leaseMs: LEASE_MS }, { preset: 'console', replace: true });

/** The only task function: a command in a folder. */
export function buildFunctions(waybill: Waybill) {
  const functions = waybill.functions({ queue: QUEUE });
  return { functions, runCommand: functions.task('build:run', runCommand) };
}

/** A task for each part. The parts must be in an order in which they could be built one by one. */
export function planBuild(waybill: Waybill, nodes: readonly BuildNode[], folder: string): BatchPlan {
  const { runCommand: run } = buildFunctions(waybill);
  const plan = waybill.planBatch({ name: 'Build of the repository' });
  const planned = new Map<string, PlannedTask>();
  for (const { name, command, after = [] } of nodes) {
    const needs = after.map((need) => planned.get(need)!);
    planned.set(name, plan.add(run, [folder, command], { reference: name, after: needs }));
  }
  return plan;
}
