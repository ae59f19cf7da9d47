import type { ToolServer } from '../../shared/settings.js';
import { text as words } from '../text.js';
import { NumberField, TextField } from './fields.js';
import { LinesField } from './LinesField.js';
import { ListEditor } from './ListEditor.js';
import { fromLines, fromPairs, toLines, toPairs } from './lines.js';
import { Section } from './Section.js';
import { TestButton } from './TestButton.js';

const t = words.settings.servers;
const newStdio = (): ToolServer => ({ kind: 'stdio', name: '', command: '', args: [], env: {}, timeoutSeconds: 60 });
const newHttp = (): ToolServer => ({ kind: 'http', name: '', url: '', timeoutSeconds: 60 });

/** Tool servers over the Model Context Protocol. Nothing in a record can name one; only this page does. */
export function Servers() {
  return (
    <Section
      title={t.title}
      hint={t.hint}
      part={(s) => s.servers}
      withPart={(settings, servers) => ({ ...settings, servers })}
    >
      {(servers, change, dirty) => (
        <ListEditor
          items={servers}
          onChange={change}
          nameOf={(server) => server.name}
          adds={[
            { label: t.addStdio, make: newStdio },
            { label: t.addHttp, make: newHttp },
          ]}
        >
          {(server, set) => (
            <>
              <TextField label={t.name} value={server.name} onChange={(name) => set({ ...server, name })} mono />
              <Kind server={server} set={set} />
              <NumberField
                label={t.timeout}
                min={1}
                value={server.timeoutSeconds}
                onChange={(timeoutSeconds) => set({ ...server, timeoutSeconds })}
              />
              <TestButton channel="server:test" name={server.name} off={dirty} />
            </>
          )}
        </ListEditor>
      )}
    </Section>
  );
}

function Kind({ server, set }: { server: ToolServer; set: (server: ToolServer) => void }) {
  switch (server.kind) {
    case 'sample':
      return <p className="faint">{t.sample}</p>;
    case 'http':
      return <TextField label={t.url} value={server.url} onChange={(url) => set({ ...server, url })} mono />;
    case 'stdio': {
      const { cwd: _cwd, ...withoutCwd } = server;
      return (
        <>
          <TextField
            label={t.command}
            hint={t.commandHint}
            value={server.command}
            onChange={(command) => set({ ...server, command })}
            mono
          />
          <LinesField
            label={t.args}
            hint={t.argsHint}
            value={server.args}
            print={toLines}
            parse={fromLines}
            onChange={(args) => set({ ...server, args })}
          />
          <TextField
            label={t.cwd}
            value={server.cwd ?? ''}
            onChange={(cwd) => set(cwd === '' ? withoutCwd : { ...server, cwd })}
            mono
          />
          <LinesField
            label={t.env}
            hint={t.envHint}
            value={server.env}
            print={toPairs}
            parse={fromPairs}
            onChange={(env) => set({ ...server, env })}
          />
        </>
      );
    }
  }
}
