import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One worker at one queue. Bigints come as text. */
@Entity('worker_roster')
export class WorkerRosterEntity {
  @PrimaryColumn('text') worker!: string;
  @PrimaryColumn('text') queue!: string;

  @Column('text', { nullable: true }) server!: string | null;
  @Column('timestamptz', { nullable: true }) first_seen!: Date | null;
  @Column('timestamptz', { nullable: true }) last_seen!: Date | null;

  @Column('bigint') claimed!: string;
  @Column('bigint') running!: string;
  @Column('bigint') succeeded!: string;
  @Column('bigint') failed!: string;
  @Column('bigint') lost!: string;
  @Column('bigint') handed_back!: string;
  @Column('bigint') position!: string;
}
