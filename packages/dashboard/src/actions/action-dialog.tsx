import { type CommandPreview, type Waybill, WaybillError } from '@waybill/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { RecordedAs } from '../app/recorded-as.js';
import { service } from '../app/service.js';
import { useSettled } from '../app/settled.js';
import { Button } from '../ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Fold } from '../ui/fold.js';
import { ErrorNotice } from '../ui/notice.js';
import type { Action, Typed } from './action.js';
import { ActionField } from './action-field.js';
import { ActionPreview, type Foreseen } from './action-preview.js';
import { CommandForms } from './command-forms.js';
import { useGiving } from './giving.js';
import { quoted } from './quoted.js';
import { ReasonField } from './reason-field.js';

interface ActionDialogProps {
  readonly subject: string;
  readonly action: Action;
  readonly onClose: () => void;
}

/** Explains a command, tries it, and gives it with a reason. A refused one is not offered again. */
export function ActionDialog({ subject, action, onClose }: ActionDialogProps) {
  const {
    name,
    title = `${name} ${subject}`,
    kind,
    about,
    fields = [],
    needsReason = false,
    takesNoReason = false,
  } = action;
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState<Typed>(() => initialOf(action));
  const preview = usePreview(subject, action, useSettled(typed));
  const said = reason.trim() || undefined;
  const give = (waybill: Waybill): Promise<unknown> => action.run(waybill, said, typed);
  const navigate = useNavigate();
  const giving = useGiving((answer) => {
    onClose();
    if (action.goesTo) void navigate({ to: action.goesTo(answer) as '/' });
  });
  // What is typed at once is the reason, unless something else must be typed: a choice is made already.
  const mayBeLeft = ({ isOptional, kind: of }: (typeof fields)[number]): boolean => isOptional || of === 'choice';
  const isReasonFirst = !takesNoReason && fields.length > 0 && fields.every(mayBeLeft);
  const reasonField = takesNoReason ? null : (
    <ReasonField
      isNeeded={needsReason}
      hasFocus={isReasonFirst || fields.length === 0}
      value={reason}
      onTyped={setReason}
    />
  );
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm onSubmit={() => void giving.give(give)}>
        <h2>{title}</h2>
        <p>{about}</p>
        {isReasonFirst ? reasonField : null}
        <ActionFields fields={fields} typed={typed} isFirst={!isReasonFirst} onTyped={setTyped} />
        <ActionPreview preview={preview} />
        {isReasonFirst ? null : reasonField}
        <RecordedAs />
        <CommandForms cli={withReason(action, said, typed)} give={give} />
        {giving.error ? <ErrorNotice error={giving.error} /> : null}
        <DialogFoot>
          <Button onClick={onClose}>{isRefusal(giving.error) ? 'Close' : 'Back'}</Button>
          {isRefusal(giving.error) ? null : (
            // What is typed is tried anew in a moment: a button that this disabled would lose a click.
            <Button
              type="submit"
              kind={kind === 'danger' ? 'danger' : 'primary'}
              disabled={giving.isBusy || (fields.length === 0 && preview.fetchStatus === 'fetching')}
            >
              {name}
            </Button>
          )}
        </DialogFoot>
      </DialogForm>
    </Dialog>
  );
}

interface ActionFieldsProps {
  readonly fields: NonNullable<Action['fields']>;
  readonly typed: Typed;
  /** Whether they are the first of the dialog. */
  readonly isFirst: boolean;
  readonly onTyped: (typed: Typed) => void;
}

function ActionFields({ fields, typed, isFirst, onTyped }: ActionFieldsProps) {
  const shown = (field: (typeof fields)[number], at: number) => (
    <ActionField
      key={field.name}
      field={field}
      value={typed[field.name] ?? ''}
      isFirst={isFirst && at === 0}
      onTyped={(value) => onTyped({ ...typed, [field.name]: value })}
    />
  );
  const rare = fields.filter(({ isRare }) => isRare);
  return (
    <>
      {fields.filter(({ isRare }) => !isRare).map(shown)}
      {rare.length > 0 ? <Fold title="More">{rare.map((field) => shown(field, -1))}</Fold> : null}
    </>
  );
}

const initialOf = ({ fields = [] }: Action): Typed =>
  Object.fromEntries(fields.map(({ name, initial, choices }) => [name, initial ?? choices?.[0] ?? '']));

/** What the command would do with what was typed; not asked for until everything is. */
function usePreview(subject: string, action: Action, typed: Typed) {
  const { name, fields = [], needsReason, preview, run, isWhole: isEnough } = action;
  const isWhole = fields.every((field) => field.isOptional || typed[field.name] !== '') && (isEnough?.(typed) ?? true);
  const reason = needsReason ? TRIED : undefined;
  return useQuery<Foreseen>({
    queryKey: ['preview', subject, name, typed],
    queryFn: () =>
      preview
        ? preview(service(undefined), typed)
        : (service(undefined).preview((as) => run(as, reason, typed)) satisfies Promise<CommandPreview>),
    enabled: isWhole,
    gcTime: 0,
    retry: false,
    placeholderData: undefined,
    refetchOnWindowFocus: false,
  });
}

/** Of commands that are refused without one. Nothing of a preview is recorded. */
const TRIED = 'preview';

function withReason({ cli }: Action, reason: string | undefined, typed: Typed): string {
  const text = typeof cli === 'string' ? cli : cli(typed);
  return reason === undefined ? text : `${text} --reason ${quoted(reason)}`;
}

/** Whether repeating is no use. Invalid input can be corrected, and a request that came too often can be repeated. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof WaybillError && error.status < 500 && error.status !== 429 && error.code !== 'INVALID_INPUT';
