import { readdirSync, readFileSync } from 'node:fs';
import { type Preset, Presets } from '../../application/queues/presets.port.js';

/** The folder lies beside both `src` and `dist`. */
const FOLDER = new URL('../../../presets/', import.meta.url);

/** The presets that come with the program, one JSON file each. */
export class FilePresets extends Presets {
  private readonly all: ReadonlyMap<string, Preset> = new Map(
    readdirSync(FOLDER).map((file) => {
      const preset = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Preset;
      return [preset.name, preset];
    }),
  );

  named(name: string): Preset | null {
    return this.all.get(name) ?? null;
  }

  names(): readonly string[] {
    return [...this.all.keys()];
  }
}
