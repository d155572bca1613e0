import type { Waybill } from '@waybill/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actor } from '../app/identity.js';
import { serviceUrl } from '../app/service.js';
import { Button } from '../ui/button.js';
import { CodeBlock } from '../ui/code-block.js';
import { callText } from './call-text.js';
import css from './command-forms.module.css';
import { curlText } from './curl-text.js';

const FORMS = ['Terminal', 'curl', 'TypeScript'] as const;

interface CommandFormsProps {
  readonly cli: string;
  readonly give: (waybill: Waybill) => Promise<unknown>;
}

/** The command that a dialog gives, as people give it elsewhere. */
export function CommandForms({ cli, give }: CommandFormsProps) {
  const [form, setForm] = useState<(typeof FORMS)[number]>('Terminal');
  return (
    <div className={css.forms}>
      <div role="group" aria-label="The same command elsewhere">
        {FORMS.map((one) => (
          <Button key={one} kind="bare" aria-pressed={one === form} onClick={() => setForm(one)}>
            {one}
          </Button>
        ))}
      </div>
      {form === 'Terminal' ? <CodeBlock text={`npx ${cli}`} about="The same command for a terminal" /> : null}
      {form === 'curl' ? <Curl give={give} cli={cli} /> : null}
      {form === 'TypeScript' ? <CodeBlock text={programText(give)} about="The same command for a program" /> : null}
    </div>
  );
}

function Curl({ give, cli }: CommandFormsProps) {
  const { data = '' } = useQuery({
    queryKey: ['curl', cli],
    queryFn: () => curlText(serviceUrl, actor.get(), give),
    gcTime: 0,
  });
  return <CodeBlock text={data} about="The same command for curl" />;
}

/** What cannot be read yet, such as half of a JSON value, has no call. */
function programText(give: CommandFormsProps['give']): string {
  try {
    return callText(give);
  } catch {
    return '';
  }
}
