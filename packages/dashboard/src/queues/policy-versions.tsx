import type { PolicyVersion } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Card } from '../ui/card.js';
import { plural } from '../ui/numbers.js';
import { Shown } from '../ui/shown.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { MOST_VERSIONS, useVersions } from './policy.queries.js';

/** Who changed what of the policy, when and why; each version is a door to its difference from the one before. */
export function PolicyVersions({ queue }: { queue: string }) {
  const versions = useVersions(queue);
  return (
    <Card title="Versions" aside={versions.data?.length === MOST_VERSIONS ? `the latest ${MOST_VERSIONS}` : null} flush>
      <Shown of={versions} lines={3}>
        {(items) => <Table about="Versions" columns={COLUMNS} rows={items} keyOf={({ version }) => String(version)} />}
      </Shown>
    </Card>
  );
}

const COLUMNS: readonly Column<PolicyVersion>[] = [
  { title: 'Version', cell: ({ version }) => <VersionLink version={version} /> },
  { title: 'When', cell: ({ at }) => <Ago at={at} /> },
  { title: 'By', cell: ({ by, agent }) => (agent ? `${by} by ${agent}` : by) },
  { title: 'What', cell: (version) => whatOf(version) },
  { title: 'Why', isWide: true, says: ({ reason }) => reason !== null, cell: ({ reason }) => reason ?? '' },
];

const VersionLink = ({ version }: { version: number }) =>
  version > 1 ? (
    <Link
      to="."
      search={(search) => ({ ...search, tab: 'policy', from: String(version - 1), to: String(version) })}
      aria-label={`Version ${version}: what it changed`}
    >
      {version}
    </Link>
  ) : (
    <>{version}</>
  );

/** More changed fields are a number. */
const MOST_FIELDS = 3;

function whatOf({ outcome, changes }: PolicyVersion): string {
  if (outcome === 'defined' && changes.length === 0) return 'defined';
  if (changes.length > MOST_FIELDS) return plural(changes.length, 'field');
  return changes.map(({ field }) => field).join(', ');
}
