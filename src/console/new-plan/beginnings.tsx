import { FileUp, LayoutTemplate } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { readFile } from './drop-file.tsx';
import { TEMPLATES } from './templates.ts';

interface BeginningsProps {
  onText: (text: string) => void;
  isEmpty: boolean;
}

/** Something to begin with: a file, or an example. */
export function Beginnings({ onText, isEmpty }: BeginningsProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div className="row new-plan-beginnings">
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".yaml,.yml,.json"
        aria-label="Plan file from this machine"
        onChange={async ({ target }) => {
          const text = await readFile(target.files?.[0]);
          // The same file may be chosen again after it was changed.
          target.value = '';
          if (text !== undefined) onText(text);
        }}
      />
      <Button icon={<FileUp aria-hidden size={16} />} onClick={() => chooser.current?.click()}>
        Open a file
      </Button>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className="button">
          <LayoutTemplate aria-hidden size={16} /> Examples
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu new-plan-examples" align="end" sideOffset={4}>
            {TEMPLATES.map(({ name, words, text }) => (
              <DropdownMenu.Item key={name} className="menu-item" onSelect={() => onText(text)}>
                <span>
                  {name}
                  <span className="hint new-plan-words">{words}</span>
                </span>
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {isEmpty && <span className="hint">Write or paste a plan file, or drop one anywhere on this page.</span>}
    </div>
  );
}
