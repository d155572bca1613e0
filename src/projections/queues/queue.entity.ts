import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { QueueFailure } from '../../domain/queue/queue.events.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';

/** A queue's current state. Written together with its events, never through this class. */
@Entity('queues')
export class QueueEntity {
  @PrimaryColumn('text') name!: string;
  @Column('uuid') id!: string;
  @Column('int') revision!: number;
  @Column('bigint') position!: string;
  @Column('text') status!: 'active' | 'paused' | 'waiting' | 'finished' | 'deleted';
  @Column('text') description!: string;
  @Column('jsonb') policy!: QueuePolicy;
  @Column('int', { name: 'policy_version' }) policyVersion!: number;
  @Column('boolean', { name: 'intake_open' }) intakeOpen!: boolean;
  @Column('text', { name: 'intake_by', nullable: true }) intakeBy!: string | null;
  @Column('text', { name: 'intake_reason', nullable: true }) intakeReason!: string | null;
  @Column('text', { name: 'pause_by', nullable: true }) pauseBy!: string | null;
  @Column('text', { name: 'pause_reason', nullable: true }) pauseReason!: string | null;
  @Column('timestamptz', { name: 'pause_until', nullable: true }) pauseUntil!: Date | null;
  @Column('jsonb', { name: 'pause_failure', nullable: true }) pauseFailure!: QueueFailure | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
}
