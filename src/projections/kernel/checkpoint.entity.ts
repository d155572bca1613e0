import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far a follower has come. Only the projection engine writes it. */
@Entity('projection_checkpoints')
export class CheckpointEntity {
  @PrimaryColumn('text')
  name!: string;

  /** Queries read `live`. `shadow` is built beside it. */
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
