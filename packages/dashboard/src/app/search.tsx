import { Suspense, useEffect, useRef, useState } from 'react';
import { Dialog } from '../ui/dialog.js';
import css from './palette.module.css';
import { part } from './part.js';
import { SEARCHES_FOR, type SearchProps } from './search-props.js';

const Palette = part(async () => (await import('./palette.js')).Palette);

/** The palette, which takes what is typed from the key that opens it on, also before it has been loaded. */
export function Search({ onClose }: Pick<SearchProps, 'onClose'>) {
  const [typed, setTyped] = useState('');
  const props = { typed, onTyped: setTyped, onClose };
  return (
    <Suspense fallback={<Early {...props} />}>
      <Palette {...props} />
    </Suspense>
  );
}

/** Keeps what is typed for the palette. */
function Early({ typed, onTyped, onClose }: SearchProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <Dialog title="Search" onClose={onClose}>
      <div className={css.box}>
        <input
          ref={input}
          aria-label="Search"
          placeholder={SEARCHES_FOR}
          value={typed}
          onChange={({ target }) => onTyped(target.value)}
        />
      </div>
    </Dialog>
  );
}
