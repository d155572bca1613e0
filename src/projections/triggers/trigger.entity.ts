import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FiringProblem, Owed, Skipped, TriggerDefinition } from '../../domain/trigger/trigger.events.js';

/** A trigger's current state. Written together with its events, never through this class. */
@Entity('triggers')
export class TriggerEntity {
  @PrimaryColumn('text') name!: string;
  @Column('int') revision!: number;
  @Column('bigint') position!: string;
  @Column('text') state!: 'enabled' | 'disabled' | 'deleted';
  @Column('jsonb') definition!: TriggerDefinition;
  @Column('timestamptz', { name: 'next_at', nullable: true }) nextAt!: Date | null;
  @Column('jsonb', { nullable: true }) owed!: Owed | null;
  @Column('jsonb', { nullable: true }) skipped!: Skipped | null;
  @Column('int') failures!: number;
  @Column('jsonb', { nullable: true }) problem!: FiringProblem | null;
  @Column('timestamptz', { name: 'retry_at', nullable: true }) retryAt!: Date | null;
  @Column('timestamptz', { name: 'last_at', nullable: true }) lastAt!: Date | null;
  @Column('uuid', { name: 'last_task', nullable: true }) lastTask!: string | null;
  @Column('uuid', { name: 'last_item', nullable: true }) lastItem!: string | null;
  @Column('timestamptz', { name: 'fired_at', nullable: true }) firedAt!: Date | null;
}
