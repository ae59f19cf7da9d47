import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run, runJson } from '../helpers/cli-run.js';
import { fixtureOf } from '../helpers/systems.js';

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'holdpoint-systems-cli-'));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const checkpoint = (file: string, more: string[] = []) =>
  run(['checkpoint', '-', '--data', data, ...more], fixtureOf('starweaver', file));

describe('S7 holdpoint checkpoint: the executor of a run in progress', () => {
  test('keeps a boundary and says continue; says suspend with a reason once a person is needed', async () => {
    expect(await checkpoint('04-running-no-pending.json')).toMatchObject({ code: 0, out: '{"kind":"continue"}\n' });
    expect(await checkpoint('14-pending-but-status-running.json')).toMatchObject({ out: '{"kind":"continue"}\n' });
    expect(await checkpoint('01-waiting-one-approval.json', ['--json'])).toMatchObject({
      code: 0,
      out: '{"kind":"suspend","reason":"waiting for one approval"}\n',
      err: '',
    });
    const { value } = await runJson(['list', '--data', data]);
    expect(JSON.stringify(value)).toContain('"status":"waiting"');
  });

  test('answers the same again for the same bytes', async () => {
    await checkpoint('01-waiting-one-approval.json');
    expect(await checkpoint('01-waiting-one-approval.json')).toMatchObject({
      out: '{"kind":"suspend","reason":"waiting for one approval"}\n',
    });
  });

  test('a failure is its text and a code that is not 0; nothing stands on stdout that could be taken for an answer', async () => {
    const refused = await checkpoint('08-unknown-version.json');
    expect(refused).toMatchObject({ code: 4, out: '' });
    expect(refused.err).toContain('unsupported starweaver.runtime.checkpoint version 2; supported version is 1');
    const file = join(data, 'file');
    writeFileSync(file, '');
    const broken = await run(
      ['checkpoint', '-', '--data', file],
      fixtureOf('starweaver', '04-running-no-pending.json'),
    );
    expect(broken.code).toBeGreaterThan(0);
    expect(broken.out).toBe('');
  });

  test('a record that belongs beside a checkpoint is kept, and the run goes on', async () => {
    expect(await checkpoint('approval-pending.json')).toMatchObject({ code: 0, out: '{"kind":"continue"}\n' });
    const said = await run(['suspend', '-', '--data', data], fixtureOf('starweaver', 'claim-preflight.json'));
    expect(said.out).toContain('kept beside');
  });
});

test('inspect says the classification and the facts of the system', async () => {
  const { out } = await run(['inspect', '-'], fixtureOf('cyrene', '01-interrupted-tool-loop.json'));
  expect(out).toContain('interrupted after step 3; nothing waits for a person');
  const { value } = await runJson(['inspect', '-'], fixtureOf('runifold', '02-turn-in-flight.json'));
  expect(value).toMatchObject({ classification: 'in flight: turn 1 may have run' });
  expect(value['about']).toContainEqual({ name: 'Phase', value: 'turn_in_flight (turn 1)' });
});
