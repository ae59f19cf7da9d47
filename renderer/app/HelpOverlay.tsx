import { keyTable, shownKeys } from '../keys.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { Dialog } from './Dialog.js';
import { useUi } from './ui-store.js';

/** All keys, from the table that the handler reads. */
export function HelpOverlay() {
  const { singleKeys, keys: own } = useSettings((s) => s.settings);
  const rows = keyTable(own);
  const groups = Object.keys(words.help.groups) as (keyof typeof words.help.groups)[];
  return (
    <Dialog title={words.help.title} onClose={() => useUi.setState({ help: false })}>
      {!singleKeys && <p className="warn">{words.help.singleOff}</p>}
      <div className="help-groups">
        {groups.map((group) => (
          <section key={group}>
            <h3>{words.help.groups[group]}</h3>
            <dl>
              {rows
                .filter((row) => row.group === group)
                .map((row) => (
                  <div key={row.action} className={row.single && !singleKeys ? 'off' : ''}>
                    <dt>
                      {shownKeys(row.keys).map((key, i) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may repeat a key
                        <kbd key={i}>{key}</kbd>
                      ))}
                    </dt>
                    <dd>{words.help.action[row.action]}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="faint">{words.help.safety}</p>
    </Dialog>
  );
}
