import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NamedField } from '../../domain/search/term.js';

/** A task as lists show it, without its payload. Written together with its events, never through this class. */
@Entity('tasks')
export class TaskEntity {
  @PrimaryColumn('uuid', { name: 'task_id' }) taskId!: string;
  @Column('text') queue!: string;
  @Column('text') state!: string;
  @Column('text') kind!: string;
  @Column('text', { nullable: true }) key!: string | null;
  @Column('text', { nullable: true }) reference!: string | null;
  @Column('int') priority!: number;
  @Column('jsonb', { nullable: true }) labels!: Record<string, string> | null;
  /** What a search finds of the payload: the values by their paths. */
  @Column('jsonb', { name: 'payload_terms', nullable: true }) payloadTerms!: Record<string, string> | null;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('timestamptz', { name: 'due_at', nullable: true }) dueAt!: Date | null;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { name: 'deadline_at', nullable: true }) deadlineAt!: Date | null;
  /** Whether the task was not done at its deadline, and whether it is still open. */
  @Column('boolean') missed!: boolean;
  @Column('boolean') overdue!: boolean;
  /** Null unless the task runs. */
  @Column('timestamptz', { name: 'run_until', nullable: true }) runUntil!: Date | null;
  @Column('timestamptz', { name: 'enqueued_at' }) enqueuedAt!: Date;
  @Column('timestamptz', { name: 'started_at', nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { name: 'finished_at', nullable: true }) finishedAt!: Date | null;
  /** Set only while the task is failed or undecided. */
  @Column('timestamptz', { name: 'failed_at', nullable: true }) failedAt!: Date | null;
  @Column('int') attempt!: number;
  @Column('text', { nullable: true }) worker!: string | null;
  @Column('text', { name: 'last_step', nullable: true }) lastStep!: string | null;
  @Column('text', { nullable: true }) step!: string | null;
  /** Whether the task has been released, or has entered its first step. */
  @Column('boolean') entered!: boolean;
  @Column('int') retries!: number;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('text', { name: 'error_class', nullable: true }) errorClass!: string | null;
  /** The task's place among those of equal priority: the position of its enqueue. */
  @Column('bigint') seq!: string;
  @Column('bigint') position!: string;
  @Column('int') revision!: number;
  @Column('uuid', { nullable: true }) batch!: string | null;
}

/** Where a task's values are kept that a search asks for by name: the member, and its column in `tasks`. */
export const NAMED_VALUES = {
  label: { member: 'labels', column: 'labels' },
  payload: { member: 'payloadTerms', column: 'payload_terms' },
} as const satisfies Record<NamedField, { readonly member: keyof TaskEntity; readonly column: string }>;

/** Any task, in the lists or in the archive. */
@Entity('known_tasks')
export class KnownTaskEntity extends TaskEntity {
  /** When it left the lists; null if it is in them. */
  @Column('timestamptz', { name: 'archived_at', nullable: true }) archivedAt!: Date | null;
}
