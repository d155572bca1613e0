import { useState } from 'react';
import { Button } from './button.js';
import css from './code-block.module.css';

/** Text to copy. */
export function CodeBlock({ text, about }: { text: string; about: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className={css.code}>
      <pre tabIndex={0} aria-label={about}>
        {text}
      </pre>
      <Button kind="bare" className={css.copy} onClick={() => void copy()} aria-label={`Copy: ${about}`}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  );
}
