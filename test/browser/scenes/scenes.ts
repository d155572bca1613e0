import { BIG_BATCH_MINUTES, bigBatch } from './big-batch.js';
import { incident, INCIDENT_MINUTES } from './incident.js';
import { QUIET_MINUTES, quietMorning } from './quiet-morning.js';
import type { Stage } from './stage.js';
import { studio, STUDIO_MINUTES } from './studio.js';

interface Scene {
  /** How long it takes on the clock of its service. */
  readonly minutes: number;
  /** Returns what leads to its pages, by name. */
  readonly tell: (stage: Stage) => Promise<object>;
}

/** What every page is looked at with, by the name that people type. */
export const SCENES: Readonly<Record<string, Scene>> = {
  'quiet-morning': { minutes: QUIET_MINUTES, tell: async (stage) => (await quietMorning(stage), {}) },
  incident: {
    minutes: QUIET_MINUTES + INCIDENT_MINUTES,
    tell: async (stage) => {
      await quietMorning(stage);
      return incident(stage);
    },
  },
  studio: { minutes: STUDIO_MINUTES, tell: studio },
  'big-batch': { minutes: BIG_BATCH_MINUTES, tell: bigBatch },
};
