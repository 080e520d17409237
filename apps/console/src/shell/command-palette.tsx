import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { session } from '../api/session.js';
import { useCaller } from '../api/use-caller.js';
import { Dialog } from '../elements/dialog.js';
import { describeSearch, readSearch } from '../pages/sponsorships/read-search.js';
import { pagesFor } from './navigation.js';
import { setTheme } from '../elements/theme.js';

interface Command {
  readonly name: string;
  readonly run: () => void;
}

/** Everything by keyboard: the pages, a search for any identifier, and settings. */
export function CommandPalette({
  open,
  onOpenChange,
}: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog title="Search and commands" hideTitle open={open} onOpenChange={onOpenChange}>
      <Commands onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function Commands({ onDone }: { readonly onDone: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const commands = useCommands(text);
  const current = Math.min(chosen, commands.length - 1);
  const run = (command: Command | undefined) => {
    onDone();
    command?.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((current + step + commands.length) % commands.length);
    }
    if (event.key === 'Enter') run(commands[current]);
  };
  return (
    <div onKeyDown={onKeyDown}>
      <input
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={`${list}-${current}`}
        aria-label="Search and commands"
        placeholder="Digest, reservation, address, token or page"
        className="h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-soft"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
      />
      <ul id={list} role="listbox" aria-label="Commands" className="max-h-80 overflow-y-auto p-1.5">
        {commands.map((command, index) => (
          <li
            key={command.name}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === current}
            className="cursor-pointer truncate rounded-md px-3 py-2 aria-selected:bg-sunken"
            onMouseMove={() => setChosen(index)}
            onClick={() => run(command)}
          >
            {command.name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function useCommands(text: string): readonly Command[] {
  const { may } = useCaller();
  const navigate = useNavigate();
  return useMemo(() => {
    const parsed = readSearch(text);
    const searches: Command[] =
      parsed === null
        ? []
        : [
            {
              name: `Find sponsorships: ${describeSearch(parsed)}`,
              run: () => void navigate({ to: '/sponsorships', search: { q: text.trim() } }),
            },
          ];
    const fixed: Command[] = [
      ...pagesFor(may).map(({ to, name }) => ({ name, run: () => void navigate({ to }) })),
      { name: 'Help: what the words mean', run: () => void navigate({ to: '/help' }) },
      { name: 'Use light colours', run: () => setTheme('light') },
      { name: 'Use dark colours', run: () => setTheme('dark') },
      { name: 'Sign out', run: () => session.end() },
    ];
    const term = text.trim().toLowerCase();
    return [...fixed.filter(({ name }) => name.toLowerCase().includes(term)), ...searches];
  }, [text, may, navigate]);
}
