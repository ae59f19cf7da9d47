import { expect, it } from 'vitest';
import { type DiagnosisFacts, diagnosis } from '../../electron/diagnosis.js';
import { Settings } from '../../shared/settings.js';

const told = [
  'Ada Lovelace',
  'vault-server',
  '/opt/tools/run',
  'hunter2',
  'internal.example',
  'You are a bot',
  'wire_money',
  'crm',
];
const facts: DiagnosisFacts = {
  about: { version: '0.1.0', electron: '45', packaged: false, platform: 'linux' },
  node: '20.20.2',
  health: {
    dataFolder: '/home/ada/.config/holdpoint',
    readOnly: 'The store /home/ada/.config/holdpoint/store was moved.',
    runs: 12,
    unreadable: 1,
    decidedNotExecuted: 2,
    gc: { enabled: true, lastAt: null, reaped: 0, kept: 0, text: '', nextAt: null },
    empty: false,
  },
  settings: Settings.parse({
    reviewer: told[0],
    servers: [{ kind: 'stdio', name: told[1], command: told[2], env: { TOKEN: told[3] } }],
    models: [{ kind: 'openai', name: 'm', baseUrl: `https://${told[4]}/v1`, model: 'x' }],
    sources: [{ name: told[7], profile: { model: 'm', systemPrompt: told[5] } }],
    tools: [{ source: '*', server: '*', tool: told[6], effect: 'destructive', repeatable: false, noReview: false }],
  }),
  problems: ['The combination Alt+H is taken by another program.'],
  home: '/home/ada',
  at: '2026-03-02T09:00:00Z',
};

it('a diagnosis tells versions, counts and kinds, and nothing of the person, the settings’ words or a record', () => {
  const report = diagnosis(facts);
  for (const word of [...told, '/home/ada']) expect(report, word).not.toContain(word);
  expect(report).toContain('Data folder: ~/.config/holdpoint');
  expect(report).toContain('Store: The store ~/.config/holdpoint/store was moved.');
  expect(report).toContain('Tool servers: 1 stdio');
  expect(report).toContain('Sources: 1, 1 can continue here');
  expect(report).toContain('Decided, not executed: 2');
  expect(report).toContain('Not in force: The combination Alt+H is taken by another program.');
});
