/** A file to fetch, as a manifest or the depositor describes it. */
export interface RemoteFile {
  readonly url: string;
  readonly name: string;
  readonly digest: Digest | null;
}

export interface Digest {
  readonly type: string;
  readonly value: string;
}

/** What a job of a submission is made of. */
export interface JobPlan {
  /** `object`: the files of one object. `manifest`: a manifest of them, to fetch first. */
  readonly payloadType: 'object' | 'manifest' | 'zip';
  readonly payloadUrl: string;
  readonly digest: Digest | null;
  readonly files: readonly RemoteFile[];
  readonly localId: string | null;
  readonly ark: string | null;
  readonly creator: string | null;
  readonly title: string | null;
  readonly date: string | null;
}

/** A kind of payload: how it is recognised, and the jobs that it makes. */
export interface PayloadKind {
  readonly name: string;
  /** Whether each payload is one job, however many files it names. */
  readonly isOneJob: boolean;
  /** `profile`: what the manifest says that it is; null if the payload is no manifest. */
  readonly matches: (profile: string | null) => boolean;
  readonly jobs: (payload: Payload) => readonly JobPlan[];
}

export interface Payload {
  readonly fileName: string;
  /** Where the payload can be fetched, for a kind that is one file itself. */
  readonly url: string;
  readonly text: string;
  readonly digest: Digest | null;
  readonly localId: string | null;
  readonly ark: string | null;
}

/** The manifest says so, or a line of it is wrong. No job can be made of it. */
export class CorruptManifest extends Error {
  override readonly name = 'CorruptManifest';
  readonly class = 'business';
}

const FIRST_LINE = /^#%checkm_0\.\d/;
const PROFILE = /^#%profile\s*\|\s*\S*\/manifest\/(\S+)\s*$/m;
const END = '#%eof';

/** What a payload says that it is; null if it is no manifest. */
export const profileOf = (text: string): string | null =>
  FIRST_LINE.test(text) ? (PROFILE.exec(text)?.[1] ?? '') : null;

/** Throws `CorruptManifest` if no kind has such payloads. */
export function kindOf(text: string, kinds: readonly PayloadKind[] = KINDS): PayloadKind {
  const profile = profileOf(text);
  const kind = kinds.find(({ matches }) => matches(profile));
  if (!kind) throw new CorruptManifest(`Expected a kind of manifest that is known, but its profile is '${profile}'`);
  return kind;
}

interface Line extends RemoteFile {
  readonly about: Pick<JobPlan, 'ark' | 'localId' | 'creator' | 'title' | 'date'>;
}

/** The lines of a manifest: URL, digest type, digest, size, time, name, identifiers, creator, title and date. */
export function linesOf(text: string): readonly Line[] {
  const rows = text.split(/\r?\n/).map((row) => row.trim());
  if (!rows.includes(END)) throw new CorruptManifest(`Expected '${END}' at the end of the manifest, but it is cut off`);
  return rows.filter((row) => row !== '' && !row.startsWith('#')).map(lineOf);
}

export const fileOf = ({ url, name, digest }: RemoteFile): RemoteFile => ({ url, name, digest });

function lineOf(row: string): Line {
  const [url = '', type = '', value = '', , , name = '', ark, localId, creator, title, date] = row
    .split('|')
    .map((cell) => cell.trim());
  if (!URL.canParse(url) || name === '' || (type === '') !== (value === ''))
    throw new CorruptManifest(`Expected a URL, a digest or none, and a name, but the line is '${row}'`);
  const digest = type === '' ? null : { type: type.toLowerCase().replace('-', ''), value: value.toLowerCase() };
  const about = {
    ark: ark || null,
    localId: localId || null,
    creator: creator || null,
    title: title || null,
    date: date || null,
  };
  return { url, name, digest, about };
}

/** The job of a payload that is one job. */
export const oneJob = ({ url, digest, localId, ark }: Payload, files: readonly RemoteFile[]): JobPlan => ({
  payloadType: 'object',
  payloadUrl: url,
  digest,
  files,
  localId,
  ark,
  creator: null,
  title: null,
  date: null,
});

const oneEach =
  (payloadType: JobPlan['payloadType']) =>
  ({ text }: Payload): readonly JobPlan[] =>
    linesOf(text).map(({ about, ...file }) => ({
      payloadType,
      payloadUrl: file.url,
      digest: file.digest,
      files: [file],
      ...about,
    }));

const manifest = (name: string, profile: string, jobs: PayloadKind['jobs'], isOneJob = false): PayloadKind => ({
  name,
  isOneJob,
  matches: (given) => given === profile,
  jobs,
});

const objectManifest: PayloadKind['jobs'] = (payload) => [oneJob(payload, linesOf(payload.text).map(fileOf))];

/** The kinds of payload. Add to the list to have more. */
export const KINDS: readonly PayloadKind[] = [
  {
    name: 'single file',
    isOneJob: true,
    matches: (profile) => profile === null,
    jobs: (payload) => [oneJob(payload, [{ url: payload.url, name: payload.fileName, digest: payload.digest }])],
  },
  manifest('object manifest', 'mrt-ingest-manifest', objectManifest, true),
  manifest('manifest of manifests', 'mrt-batch-manifest', oneEach('manifest')),
  manifest('manifest of zips', 'mrt-container-batch-manifest', oneEach('zip')),
  manifest('manifest of jobs', 'mrt-single-file-batch-manifest', oneEach('object')),
];
