import type { PriorityRule, QueuePolicy } from './queue.policy.js';

/** What the rules look at. */
export interface Ranked {
  readonly labels?: Readonly<Record<string, string>>;
  /** How many tasks the task's batch has; absent if it has none, or nobody said. */
  readonly batchSize?: number;
}

/** A priority is stored in 32 bits. */
const [LOWEST, HIGHEST] = [-(2 ** 31), 2 ** 31 - 1];

/** The priority that the policy's rules give to a task: the default one and what each rule that applies adds. */
export function priorityByRules(
  task: Ranked,
  rules: readonly PriorityRule[],
  { defaultPriority }: Pick<QueuePolicy, 'defaultPriority'>,
): number {
  const priority = rules.reduce((sum, rule) => (applies(rule, task) ? sum + rule.add : sum), defaultPriority);
  return Math.max(LOWEST, Math.min(HIGHEST, priority));
}

function applies(rule: PriorityRule, { labels = {}, batchSize = 0 }: Ranked): boolean {
  if ('batchAbove' in rule) return batchSize > rule.batchAbove;
  const value = labels[rule.label];
  return value !== undefined && (rule.value === undefined || value === rule.value);
}
