import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';

const THEMES = {
  system: { icon: Monitor, words: 'as the system', next: 'light' },
  light: { icon: Sun, words: 'light', next: 'dark' },
  dark: { icon: Moon, words: 'dark', next: 'system' },
} as const;
type Theme = keyof typeof THEMES;

const KEY = 'holdpoint.theme';

/** Goes from theme to theme. The choice stays with this browser; `theme.js` sets it before anything is drawn. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>((document.documentElement.dataset.theme as Theme | undefined) ?? 'system');
  const { icon: Icon, words, next } = THEMES[theme];
  const change = () => {
    setTheme(next);
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Storage may be forbidden; then the choice lasts as long as the page.
    }
  };
  return (
    <button
      type="button"
      className="button"
      data-look="quiet"
      aria-label={`Theme: ${words}`}
      title={`Theme: ${words}`}
      onClick={change}
    >
      <Icon aria-hidden size={18} />
    </button>
  );
}
