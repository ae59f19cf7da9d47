import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { keyTable } from '../keys.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { Dialog } from './Dialog.js';
import { type Command, commands, found } from './palette.js';
import { useUi } from './ui-store.js';

/** Every command by its name. It takes itself away before the command runs, so that the command meets the page. */
export function Palette() {
  const own = useSettings((s) => s.settings.keys);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const hits = found(commands(keyTable(own)), typed);
  const chosen = hits[Math.min(at, hits.length - 1)];
  const close = (): void => useUi.setState({ palette: false });
  const run = (command: Command | undefined): void => {
    if (!command) return;
    flushSync(close);
    // After the focus went back to where it came from.
    queueMicrotask(() => queueMicrotask(command.run));
  };
  const goTo = (next: number): void => {
    const to = Math.max(0, Math.min(hits.length - 1, next));
    setAt(to);
    list.current?.children[to]?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Dialog title={words.palette.title} onClose={close}>
      <input
        data-first
        className="palette-find"
        data-testid="palette"
        type="text"
        role="combobox"
        aria-label={words.palette.find}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen && `${id}-${hits.indexOf(chosen)}`}
        aria-autocomplete="list"
        placeholder={words.palette.find}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const now = Math.min(at, hits.length - 1);
          if (event.key === 'ArrowDown') goTo(now + 1);
          else if (event.key === 'ArrowUp') goTo(now - 1);
          else if (event.key === 'Enter' && !event.repeat && !event.ctrlKey && !event.metaKey) run(chosen);
          else return;
          event.preventDefault();
        }}
      />
      <div ref={list} id={id} className="palette-list" role="listbox" aria-label={words.palette.results}>
        {hits.map((command, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard, and names this as active
          <div
            key={command.id}
            id={`${id}-${i}`}
            className="palette-option"
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            onClick={(event) => event.detail < 2 && run(command)}
          >
            <span>{command.label}</span>
            <span className="keys" aria-hidden="true">
              {command.keys.map((key, nth) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may repeat a key
                <kbd key={nth}>{key}</kbd>
              ))}
            </span>
          </div>
        ))}
      </div>
      <p className="faint" role="status">
        {words.palette.count(hits.length)} · {words.palette.safety}
      </p>
    </Dialog>
  );
}
