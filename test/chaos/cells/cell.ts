import { type History, type Violation, violationsOf } from '../../support/history-checker.js';
import type { OwnPostgres } from '../own-postgres.js';
import { Scene, type SceneOptions } from './scene.js';

/** A fault or a load under which every promise must hold. */
export interface Cell {
  /** A server of the cell's own, if it needs a special one. */
  readonly postgres?: () => Promise<OwnPostgres>;
  readonly load?: SceneOptions;
  /** Causes the fault once and ends it. Called again until the time is over. */
  readonly fault: (scene: Scene) => Promise<void>;
  /** Undoes what would keep tasks from ending. */
  readonly undo?: () => Promise<void>;
  /** The longest time until the service took writes again, in milliseconds. */
  readonly away?: () => number;
  readonly close?: () => Promise<void>;
}

export interface CellResult {
  readonly seconds: number;
  readonly faults: number;
  /** The longest time until the service took writes again, if the cell measures it. */
  readonly awayMs?: number;
  readonly operations: number;
  /** Operations without an answer, or with one that does not say whether they were carried out. */
  readonly unknown: number;
  readonly events: number;
  /** Tasks that had left the lists at the end. */
  readonly archived: number;
  readonly violations: readonly Violation[];
}

/** Longer than any lease, retry and restart. A task that has not ended by then is stuck. */
const PATIENCE_MS = 120_000;

/**
 * Runs the load and the fault for this long, lets every task end, and checks the history. On `shared`, unless the cell
 * has a server of its own.
 */
export async function runCell(cell: Cell, shared: OwnPostgres, ms: number): Promise<CellResult> {
  const start = performance.now();
  const own = await cell.postgres?.();
  try {
    const scene = await Scene.open(own ?? shared, cell.load ?? {});
    try {
      const faults = await strike(cell, scene, ms);
      const history = await scene.run.history();
      const away = cell.away && { awayMs: cell.away() };
      return { ...resultOf(history), ...away, faults, seconds: Math.round((performance.now() - start) / 1_000) };
    } finally {
      await scene.close();
    }
  } finally {
    await own?.remove();
    await cell.close?.();
  }
}

async function strike({ fault, undo }: Cell, scene: Scene, ms: number): Promise<number> {
  let faults = 0;
  for (const end = performance.now() + ms; performance.now() < end; faults++) await fault(scene);
  await undo?.();
  await scene.calm(PATIENCE_MS);
  return faults;
}

const resultOf = (history: History): Omit<CellResult, 'faults' | 'seconds'> => ({
  operations: history.operations.length,
  unknown: history.operations.filter(({ outcome }) => outcome === 'unknown').length,
  events: history.events.length,
  archived: history.archived?.length ?? 0,
  violations: violationsOf(history),
});
