import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One queue's counts. Bigints come as text. */
@Entity('queue_stats')
export class QueueStatsEntity {
  @PrimaryColumn('text') queue!: string;

  @Column('bigint') prepared!: string;
  @Column('bigint') pending!: string;
  @Column('bigint') held!: string;
  @Column('bigint') running!: string;
  @Column('bigint') errored!: string;
  @Column('bigint') failed!: string;
  @Column('bigint') succeeded!: string;
  @Column('bigint') cancelled!: string;
  @Column('bigint') aborted!: string;
  @Column('bigint') superseded!: string;
  @Column('bigint') deleted!: string;

  @Column('bigint') failures_business!: string;
  @Column('bigint') failures_application!: string;
  @Column('bigint') failures_transient!: string;
  @Column('bigint') failures_bug!: string;

  @Column('bigint') waited_count!: string;
  @Column('bigint') waited_total_ms!: string;
  @Column('bigint') waited_max_ms!: string;
  @Column('bigint') ran_count!: string;
  @Column('bigint') ran_total_ms!: string;
  @Column('bigint') ran_max_ms!: string;

  @Column('bigint') position!: string;
}
