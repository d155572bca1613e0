import type { BatchStatus } from '../../domain/batch/batch.events.js';
import type {
  BatchOffer,
  BatchPhase,
  BatchPolicy,
  ReportTarget,
  RerunReporting,
} from '../../domain/batch/batch.policy.js';
import { phaseOf } from '../../domain/batch/phase.policy.js';
import type { TaskStatus } from '../../domain/task/task.events.js';

export interface BatchView {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly state: BatchStatus;
  /** The state and, while a task plans the batch, that task's. */
  readonly phase: BatchPhase;
  /** The phase in the words of the preset. */
  readonly stateName: string;
  readonly createdAt: string;
  /** When the batch last ended. */
  readonly endedAt: string | null;
  /** The task that plans the batch. */
  readonly planner: string | null;
  readonly plannerState: TaskStatus | null;
  /** Why the batch was not planned. */
  readonly error: string | null;
  readonly preset: string | null;
  readonly reRunReporting: RerunReporting;
  readonly reportTo: ReportTarget | null;
  readonly rerunOf: string | null;
  readonly rerun: string | null;
  readonly reports: number;
  readonly reportedAt: string | null;
  /** The commands that the batch's policy offers; null: all. */
  readonly offers: readonly BatchOffer[] | null;
  readonly total: number;
  /** How many of its tasks have not ended. */
  readonly open: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly aborted: number;
  readonly deleted: number;
  readonly revision: number;
  readonly position: string;
}

/** A batch with the task that plans it. */
export const BATCH_ROWS = `select b.id, b.name, b.description, b.labels, b.state, b.created_at, b.ended_at, b.planner, b.error, b.policy,
    b.re_runs, b.report_to, b.rerun_of, b.rerun, b.reports, b.reported_at, b.total, b.open, b.succeeded, b.failed, b.aborted,
    b.deleted, b.revision, b.position, p.state as planner_state, p.entered or p.started_at is not null as planner_begun
  from batches b left join known_tasks p on p.task_id = b.planner`;

export interface BatchRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>> | null;
  readonly state: BatchStatus;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly planner: string | null;
  readonly error: string | null;
  readonly policy: BatchPolicy | null;
  readonly re_runs: RerunReporting;
  readonly report_to: ReportTarget | null;
  readonly rerun_of: string | null;
  readonly rerun: string | null;
  readonly reports: number;
  readonly reported_at: Date | null;
  readonly total: number;
  readonly open: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly aborted: number;
  readonly deleted: number;
  readonly revision: number;
  readonly position: string;
  readonly planner_state: TaskStatus | null;
  readonly planner_begun: boolean | null;
}

export function viewOf(row: BatchRow): BatchView {
  const { id, name, description, state, planner, error, policy, rerun, reports, revision, position } = row;
  const { total, open, succeeded, failed, aborted, deleted } = row;
  const phase = phaseOfRow(row);
  return {
    id,
    name,
    description,
    labels: row.labels ?? {},
    state,
    phase,
    stateName: policy?.vocabulary?.[phase] ?? phase,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    planner,
    plannerState: row.planner_state,
    error,
    preset: policy?.preset ?? null,
    reRunReporting: row.re_runs,
    reportTo: row.report_to,
    rerunOf: row.rerun_of,
    rerun,
    reports,
    reportedAt: row.reported_at?.toISOString() ?? null,
    offers: policy?.commands ?? null,
    total,
    open,
    succeeded,
    failed,
    aborted,
    deleted,
    revision,
    position,
  };
}

function phaseOfRow({ state, planner_state: status, planner_begun: begun }: BatchRow): BatchPhase {
  return phaseOf(state, status === null ? null : { status, begun: begun ?? false });
}
