import { useId, useState } from 'react';
import { Input } from '../ui/field.js';
import { useSuggestions } from './tasks.queries.js';

/** Where a search is written. The browser shows how it may go on. */
export function SearchInput({ q }: { readonly q: string }) {
  const [written, write] = useState(q);
  const searches = useSuggestions(written);
  const list = useId();
  return (
    <>
      <Input
        name="q"
        type="search"
        aria-label="Search tasks"
        autoComplete="off"
        list={list}
        defaultValue={q}
        onChange={({ target }) => write(target.value)}
        placeholder={`queue:mail state:failed error:"timed out" since:2h`}
      />
      <datalist id={list}>
        {searches.map(({ search, about }) => (
          <option key={search} value={search}>
            {about}
          </option>
        ))}
      </datalist>
    </>
  );
}
