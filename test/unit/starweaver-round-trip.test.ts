import { describe, expect, test } from 'vitest';
import { handOver } from '../../electron/checkpoints/handover.js';
import { load, readJournal } from '../../electron/checkpoints/records.js';
import { derivedRunId } from '../../electron/formats/starweaver/derived-ids.js';
import { DEFERRED, fixture, MEDIA, ONE, RUN, TWO, textOf, UNBOUND } from '../helpers/starweaver.js';
import { refusalOf, unwrap, World } from '../helpers/world.js';

const OFFERED = ['shell_exec', 'deploy', 'external_search'];

function world(): World {
  const made = new World();
  made.offered = OFFERED;
  return made;
}

describe('decided and continued here', () => {
  test('S14 S15 an edit runs as edited, a denial runs nothing, and the next stop is a new run', async () => {
    const w = world();
    const key = await w.put(fixture(TWO));
    expect(key).toMatchObject({ system: 'starweaver', runId: RUN, seq: 1 });
    const edited = '{"command":"ls","n":9007199254740993}';
    unwrap(await w.decide(key, [{ edit: edited }, { reject: 'not today' }]));
    const next = { id: 'sw-tool-9', name: 'deploy', arguments: '{"env":"prod"}' };
    w.answers.push({ kind: 'message', content: '', toolCalls: [next], finishReason: 'tool_calls' });
    unwrap(await w.resume(key));
    expect(w.ledger).toEqual([{ tool: 'shell_exec', arguments: edited }]);
    expect(w.requests[0]?.messages.slice(-3).map(({ role, content }) => [role, content.split('\n')[0]])).toEqual([
      ['tool', '{"text":"# app"}'],
      ['tool', '[A human reviewer edited the arguments of this call before it ran.]'],
      ['tool', 'Human reviewer rejected this step: not today'],
    ]);
    expect((await readJournal(w.store, key))?.journal.continuation.state).toBe('suspended_again');
    const again = { ...key, runId: derivedRunId(textOf(fixture(TWO))), seq: 1 };
    const { record, bytes } = unwrap(await load(w.store, again));
    expect(record).toMatchObject({ state: 'waiting', completedStep: 2, pending: [next], resumable: true });
    expect(textOf(bytes)).toContain('"approval_state":"denied"');
    unwrap(await w.decide(again, ['approve']));
    unwrap(await w.resume(again));
    expect(w.ledger.slice(1)).toEqual([{ tool: 'deploy', arguments: '{"env":"prod"}' }]);
    expect((await readJournal(w.store, again))?.journal.continuation).toMatchObject({ state: 'completed', steps: 3 });
    expect(refusalOf(await w.resume(key, 'other'))).not.toBe('');
    expect(w.ledger).toHaveLength(2);
  });

  test('the media of a conversation do not stop it', async () => {
    const w = world();
    const key = await w.put(fixture(MEDIA));
    unwrap(await w.decide(key, ['approve']));
    unwrap(await w.resume(key));
    expect(w.ledger).toEqual([{ tool: 'shell_exec', arguments: '{"command":"rm -rf target/out","cwd":"/srv/apps"}' }]);
  });

  test('16 what was no JSON is not sent to a tool server, and nothing is claimed for it', async () => {
    const w = world();
    const key = await w.put(fixture('16-invalid-json-arguments.json'));
    expect(refusalOf(await w.decide(key, ['approve']))).toBe('arguments_not_an_object');
    expect(refusalOf(await w.resume(key))).toBe('not_decided');
    expect((await load(w.store, key)).ok && unwrap(await load(w.store, key)).head.latch).toBeNull();
    expect(w.ledger).toEqual([]);
  });
});

describe('what is not decided', () => {
  test('S12 a batch with a deferred call takes no approval, and all of it may be rejected', async () => {
    const w = world();
    const key = await w.put(fixture(DEFERRED));
    expect(refusalOf(await w.decide(key, ['approve', 'approve']))).toBe('incomplete_decision');
    unwrap(await w.decide(key, [{ reject: 'a' }, { reject: 'b' }]));
    unwrap(await w.resume(key));
    expect(w.ledger).toEqual([]);
  });

  test('S13 an approval that is bound to no arguments is refused, and so is its rejection', async () => {
    const w = world();
    const key = await w.put(fixture(UNBOUND));
    expect(refusalOf(await w.decide(key, ['approve']))).toBe('blocked_by_warning');
    expect(refusalOf(await w.decide(key, [{ reject: 'x' }]))).toBe('changed_since_you_looked');
  });

  test('S4 S6 an ordinary checkpoint and a run that does not wait yet', async () => {
    for (const file of ['04-running-no-pending.json', '14-pending-but-status-running.json', '06-failed.json']) {
      const w = world();
      const key = await w.put(fixture(file));
      expect(refusalOf(await w.decide(key, { step: 'approve' }))).toBe('not_waiting');
    }
  });
});

test('H13 handed over: its own result set and the record as it came, once', async () => {
  const w = world();
  const key = await w.put(fixture(ONE), { route: 'handed_over' });
  unwrap(await w.decide(key, ['approve']));
  const given = unwrap(await handOver(w.store, w.ports, key, 'T'));
  expect(given.record).toBe(textOf(fixture(ONE)));
  expect(JSON.parse(given.systemDecision ?? '').approvals[given.calls[0]?.id ?? '']).toEqual({
    decision: 'approved',
    decided_by: 'Ada',
  });
  expect(unwrap(await handOver(w.store, w.ports, key, 'T')).systemDecision).toBe(given.systemDecision);
  expect(refusalOf(await handOver(w.store, w.ports, key, 'other'))).toBe('already_claimed');
});
