import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far a follower has come; written by the projection engine only. */
@Entity('projection_checkpoints')
export class CheckpointEntity {
  @PrimaryColumn('text')
  name!: string;

  /** `live` is what queries read; `shadow` is being built beside it. */
  @PrimaryColumn('text')
  slot!: string;

  @Column('int')
  version!: number;

  @Column('bigint')
  position!: string;

  @Column('text')
  status!: 'running' | 'stopped';

  @Column('bigint', { name: 'stopped_at', nullable: true })
  stoppedAt!: string | null;

  @Column('text', { nullable: true })
  error!: string | null;
}
