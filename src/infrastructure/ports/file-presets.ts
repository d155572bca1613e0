import { readdirSync, readFileSync } from 'node:fs';
import { type BatchPreset, type Preset, Presets } from '../../application/queues/presets.port.js';

/** The folders lie beside both `src` and `dist`. */
const FOLDER = new URL('../../../presets/', import.meta.url);

/** The presets that come with the program, one JSON file each. */
export class FilePresets extends Presets {
  private readonly all = presetsIn<Preset>(FOLDER);
  private readonly forBatches = presetsIn<BatchPreset>(new URL('batches/', FOLDER));

  named(name: string): Preset | null {
    return this.all.get(name) ?? null;
  }

  names(): readonly string[] {
    return [...this.all.keys()];
  }

  ofBatches(name: string): BatchPreset | null {
    return this.forBatches.get(name) ?? null;
  }

  namesOfBatches(): readonly string[] {
    return [...this.forBatches.keys()];
  }
}

function presetsIn<P extends { readonly name: string }>(folder: URL): ReadonlyMap<string, P> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return new Map(
    files.map((file) => {
      const preset = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as P;
      return [preset.name, preset];
    }),
  );
}
