import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.js';

const THEMES = [
  { name: 'system', icon: Monitor },
  { name: 'light', icon: Sun },
  { name: 'dark', icon: Moon },
] as const;

type Theme = (typeof THEMES)[number]['name'];

const STORED = 'waybill-theme';

const storedTheme = (): Theme => THEMES.find(({ name }) => name === localStorage.getItem(STORED))?.name ?? 'system';

/** Shows the pages in the theme that the person chose in this browser. */
export function applyTheme(theme = storedTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** `isSmall`: without its name, where there is no room. */
export function ThemeSwitch({ isSmall = false }: { isSmall?: boolean }) {
  const [theme, setTheme] = useState(storedTheme);
  const at = THEMES.findIndex(({ name }) => name === theme);
  const next = THEMES[(at + 1) % THEMES.length]!;
  const Icon = THEMES[at]!.icon;
  const change = (): void => {
    localStorage.setItem(STORED, next.name);
    applyTheme(next.name);
    setTheme(next.name);
  };
  return (
    <Button kind="bare" onClick={change} aria-label={`Theme: ${theme}. Change to ${next.name}`}>
      <Icon aria-hidden="true" /> {isSmall ? null : `Theme: ${theme}`}
    </Button>
  );
}
