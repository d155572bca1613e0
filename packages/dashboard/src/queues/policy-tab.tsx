import type { BlamedField, QueueView } from '@waybill/client';
import { getRouteApi } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { useOffered } from '../actions/offer.js';
import { Card } from '../ui/card.js';
import { Fold } from '../ui/fold.js';
import { Json } from '../ui/json.js';
import { plural } from '../ui/numbers.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { changeField, changePolicy, isChangeable } from './policy-actions.js';
import { useBlame } from './policy.queries.js';
import css from './policy-tab.module.css';
import { fieldInWords } from './policy-words.js';
import { PolicyVersions } from './policy-versions.js';
import { VersionDiff } from './version-diff.js';

const route = getRouteApi('/queues/$queue');

/** The rules of the queue, who set each of them and why, and how they became what they are. */
export function PolicyTab({ view }: { view: QueueView }) {
  const { from, to } = route.useSearch();
  return (
    <Stack>
      {from && to ? <VersionDiff queue={view.name} from={Number(from)} to={Number(to)} /> : null}
      <Rules view={view} />
      <PolicyVersions queue={view.name} />
    </Stack>
  );
}

function Rules({ view }: { view: QueueView }) {
  const blame = useBlame(view.name);
  const columns = useOffered(columnsOf(view), view.name);
  return (
    <Card
      title={`Policy, version ${view.policyVersion}`}
      aside={<Actions subject={`queue ${view.name}`} queue={view.name} actions={[changePolicy(view)]} />}
      flush
    >
      <Shown of={blame}>
        {({ fields }) => (
          <>
            <Fields
              about="Fields of the policy"
              columns={columns}
              rows={fields.filter(({ isDefault }) => !isDefault)}
            />
            <Defaults columns={columns} rows={fields.filter(({ isDefault }) => isDefault)} />
          </>
        )}
      </Shown>
    </Card>
  );
}

interface FieldsProps {
  readonly about: string;
  readonly columns: readonly Column<BlamedField>[];
  readonly rows: readonly BlamedField[];
}

const Fields = ({ about, columns, rows }: FieldsProps) =>
  rows.length === 0 ? null : <Table about={about} columns={columns} rows={rows} keyOf={({ field }) => field} />;

/** What every queue has is the rule, and most of the page. */
const Defaults = ({ columns, rows }: Omit<FieldsProps, 'about'>) =>
  rows.length === 0 ? null : (
    <div className={css.defaults}>
      <Fold title={`${plural(rows.length, 'field')} as by default`}>
        <Fields about="Fields as by default" columns={columns} rows={rows} />
      </Fold>
    </div>
  );

/** What only its schema says can be looked up in it. */
const valueOf = ({ field, value }: BlamedField) => (
  <>
    {fieldInWords(field, value)}
    {field === 'payloadSchemas' && Object.keys(value as object).length > 0 ? (
      <Fold title="The schemas">
        <Json value={value} />
      </Fold>
    ) : null}
  </>
);

const isSet = ({ setBy }: BlamedField): boolean => setBy !== null;

const columnsOf = (view: QueueView): Column<BlamedField>[] => [
  { title: 'Field', cell: ({ field }) => <code>{field}</code> },
  { title: 'Value', isWrapped: true, cell: valueOf },
  { title: 'Version', isNumber: true, says: isSet, cell: ({ setBy }) => setBy?.version ?? 'default' },
  { title: 'By', says: isSet, cell: ({ setBy }) => setBy?.by ?? '' },
  { title: 'When', isNumber: true, says: isSet, cell: ({ setBy }) => (setBy ? <Ago at={setBy.at} /> : '') },
  {
    title: 'Why',
    isWrapped: true,
    says: ({ setBy }) => Boolean(setBy?.reason),
    cell: ({ setBy }) => setBy?.reason ?? '',
  },
  {
    title: 'Actions',
    says: isChangeable,
    cell: (field) =>
      isChangeable(field) ? (
        <Actions
          subject={`${field.field} of queue ${view.name}`}
          queue={view.name}
          actions={[changeField(view, field)]}
        />
      ) : null,
  },
];
