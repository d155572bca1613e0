import type { ComponentChildren } from 'preact';

/** A list of names and values. Leaves out names without a value. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  const told = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl>
      {told.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
