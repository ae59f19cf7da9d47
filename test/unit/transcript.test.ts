import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../electron/formats/read-record.js';
import type { Message, PendingCall } from '../../shared/checkpoint.js';
import { REPAIR_TEXT } from '../../shared/repair.js';
import {
  assertPaired,
  checkTranscript,
  continuedTranscript,
  rejectionText,
  usableIds,
} from '../../shared/transcript.js';

const RUN = '01K0QZ6V5M3H8D7N2B4C9F1XGA';
const CASES = new URL('../fixtures/cases/', import.meta.url);

function caseRecord(id: string) {
  const folder = readdirSync(CASES).find((name) => name.startsWith(`${id}-`));
  const read = readRecord(readFileSync(new URL(`${folder}/checkpoint.json`, CASES)));
  if (!read.ok) throw new Error(read.refusal.text);
  return { runId: read.record.runId, messages: read.record.messages, pending: read.record.pending ?? [] };
}

const user = (content: string): Message => ({ role: 'user', content, toolCalls: [], toolCallId: null });
const tool = (id: string | null, content = 'result'): Message => ({
  role: 'tool',
  content,
  toolCalls: [],
  toolCallId: id,
});
const asks = (...calls: [id: string | null, name: string, args?: string][]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: calls.map(([id, name, args = '{}']) => ({ id, name, arguments: args })),
  toolCallId: null,
});
const pendingOf = (message: Message): PendingCall[] =>
  message.toolCalls.map((call, index) => ({ ...call, index, argumentsSha256: `${index}`.repeat(64) }));
const answersOf = (pending: readonly PendingCall[]) => pending.map(({ index }) => ({ index, text: `answer ${index}` }));

/** What a chat-completions endpoint asks of a conversation, written down a second time. */
function endpointTakes(messages: readonly Message[]): boolean {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (message.toolCallId === null || !open.includes(message.toolCallId)) return false;
      open = open.filter((id) => id !== message.toolCallId);
      continue;
    }
    if (open.length > 0) return false;
    open = message.toolCalls.map((call) => call.id ?? '');
    if (open.includes('') || new Set(open).size < open.length) return false;
  }
  return open.length === 0;
}

describe('checkTranscript', () => {
  test('C30 names the call deep in the history, not the pending one', () => {
    const { messages, pending } = caseRecord('C30');
    expect(checkTranscript(messages, pending)).toEqual({
      unanswered: [{ message: 1, id: 'toolu_old', name: 'read_file' }],
      strays: [],
      broken: [],
      answeredPending: [],
      pendingInHistory: true,
    });
  });

  test('an answer after another message does not count', () => {
    const check = checkTranscript([asks(['a', 'x']), user('hm'), tool('a')], null);
    expect(check.unanswered).toEqual([{ message: 0, id: 'a', name: 'x' }]);
    expect(check.strays).toEqual([{ message: 2, text: 'message 2 answers "a", which no call before it asks' }]);
  });

  const STRAY = [asks(['a', 'x']), tool('a'), tool('a'), tool('b'), tool(null)];

  test('a second answer, an answer to nobody and one without id are answers to nothing', () => {
    const check = checkTranscript(STRAY, null);
    expect(check.broken).toEqual([]);
    expect(check.strays).toEqual([
      { message: 2, text: 'message 2 answers "a" a second time' },
      { message: 3, text: 'message 3 answers "b", which no call before it asks' },
      { message: 4, text: 'message 4 is an answer without a call id' },
    ]);
  });

  test('I7 K3 answers to nothing are left out with consent, and only with it', () => {
    const cut = [tool('gone'), user('u'), ...STRAY];
    const going = (repair: boolean) =>
      continuedTranscript({ runId: RUN, messages: cut, pending: [], answers: [], repair });
    expect(assertPaired(going(false)).ok).toBe(false);
    expect(going(true)).toEqual([user('u'), asks(['a', 'x']), tool('a')]);
    expect(assertPaired(going(true)).ok).toBe(true);
  });

  test('H7 an answer under the id of a pending call that the history does not hold may be its own: never left out', () => {
    const pending = pendingOf(asks(['a', 'x', '{"n":1}']));
    const check = checkTranscript([tool('a'), user('u')], pending);
    expect(check.strays).toEqual([]);
    expect(check.broken).toEqual(['message 0 answers "a", which no call before it asks']);
  });

  test('H7 pending calls that the history answers are named by position', () => {
    const asked = asks(['a', 'x'], ['b', 'y']);
    expect(checkTranscript([asked, tool('b')], pendingOf(asked))).toMatchObject({
      answeredPending: [1],
      pendingInHistory: true,
      unanswered: [],
    });
  });

  test('H7 an id that an answered call had before is another call', () => {
    const pending = pendingOf(asks(['call_0', 'x', '{"n":2}']));
    const check = checkTranscript([asks(['call_0', 'x', '{"n":1}']), tool('call_0')], pending);
    expect(check).toEqual({ unanswered: [], strays: [], broken: [], answeredPending: [], pendingInHistory: false });
  });

  test('the same arguments in another layout or order are the same call', () => {
    const pending = pendingOf(asks(['a', 'x', '{"p":1.0,"q":[true,null]}']));
    expect(checkTranscript([asks(['a', 'x', '{ "q" : [ true, null ], "p" : 1.0 }'])], pending).pendingInHistory).toBe(
      true,
    );
    expect(checkTranscript([asks(['a', 'x', '{"q":[true,null],"p":1}'])], pending).broken).toHaveLength(1);
  });

  test('I5 a history that asks for something else under the id of a waiting call is broken', () => {
    const pending = pendingOf(asks(['a', 'x', '{"n":1}']));
    expect(checkTranscript([asks(['a', 'x', '{"n":2}'])], pending).broken[0]).toContain('pending call 1 (x)');
    expect(checkTranscript([asks(['a', 'z', '{"n":1}'])], pending).broken[0]).toContain('pending call 1 (x)');
    expect(
      checkTranscript([asks(['a', 'x', '{"n":1}'])], pendingOf(asks(['a', 'x', '{"n":1}'], ['b', 'y']))).broken[0],
    ).toContain('only some');
  });

  test('C09 equal ids are paired in order', () => {
    const { messages, pending } = caseRecord('C09');
    expect(checkTranscript(messages, pending)).toMatchObject({ unanswered: [], broken: [], pendingInHistory: true });
  });
});

describe('H8 C11 usable ids', () => {
  test('its own where it has one of its own, else a made one, the same every time', () => {
    const pending = pendingOf(asks(['', 'a'], ['own', 'b'], [null, 'c'], ['twin', 'd'], ['twin', 'e']));
    const ids = usableIds(RUN, pending);
    expect(ids[1]).toBe('own');
    expect(ids).toEqual(usableIds(RUN, structuredClone(pending)));
    expect(new Set(ids).size).toBe(5);
    expect(ids).not.toContain('twin');
    for (const id of ids) expect(id).toMatch(/^[\w-]{1,40}$/);
  });

  test('they depend on run, position and arguments, and never meet an id of the batch', () => {
    const pending = pendingOf(asks(['', 'a'], ['', 'a']));
    const [first = '', second = ''] = usableIds(RUN, pending);
    expect(usableIds('7E5TYYX1JWA5SS6KD7C4DRTD64', pending)).not.toContain(first);
    expect(usableIds(RUN, [{ id: '', argumentsSha256: 'f'.repeat(64) }])).not.toContain(first);
    const squatted = usableIds(RUN, [...pending, { id: first, argumentsSha256: '' }]);
    expect(squatted[2]).toBe(first);
    expect(squatted.slice(0, 2)).not.toContain(first);
    expect(second).not.toBe(first);
  });
});

describe('I7 continuedTranscript', () => {
  test('C28 a rejected call has its own answer right behind the message that asks', () => {
    const record = caseRecord('C28');
    const messages = continuedTranscript({
      ...record,
      answers: [{ index: 0, text: rejectionText('keep it') }],
      repair: false,
    });
    expect(messages.slice(0, -1)).toEqual(record.messages);
    expect(messages.at(-1)).toMatchObject({
      role: 'tool',
      toolCallId: 'call_m4',
      content: expect.stringContaining('keep it'),
    });
    expect(assertPaired(messages).ok).toBe(true);
  });

  test('K3 the message with the calls is put in when the history has none, with the raw arguments', () => {
    const pending = pendingOf(asks(['a', 'x', '{"n":1.0}'], ['', 'y', '""']));
    const messages = continuedTranscript({
      runId: RUN,
      messages: [user('go')],
      pending,
      answers: answersOf(pending),
      repair: false,
    });
    const [, second = ''] = usableIds(RUN, pending);
    expect(messages).toEqual([
      user('go'),
      asks(['a', 'x', '{"n":1.0}'], [second, 'y', '""']),
      tool('a', 'answer 0'),
      tool(second, 'answer 1'),
    ]);
  });

  test('H8 C11 a made id is the same in the message that asks and in the answer', () => {
    const asked = asks(['', 'x'], ['twin', 'y'], ['twin', 'z']);
    const pending = pendingOf(asked);
    const messages = continuedTranscript({
      runId: RUN,
      messages: [user('go'), asked],
      pending,
      answers: answersOf(pending),
      repair: false,
    });
    const ids = usableIds(RUN, pending);
    expect(messages[1]?.toolCalls.map((call) => call.id)).toEqual(ids);
    expect(messages.slice(2)).toEqual(ids.map((id, index) => tool(id, `answer ${index}`)));
    expect(assertPaired(messages).ok).toBe(true);
  });

  test('H7 an answer that is there is kept, and no second one is given', () => {
    const asked = asks(['a', 'x'], ['b', 'y']);
    const pending = pendingOf(asked);
    const messages = continuedTranscript({
      runId: RUN,
      messages: [asked, tool('b', 'from before')],
      pending,
      answers: answersOf(pending),
      repair: false,
    });
    expect(messages).toEqual([asked, tool('b', 'from before'), tool('a', 'answer 0')]);
  });

  test('C30 with consent a synthetic answer stands right behind message 1; without, the check refuses', () => {
    const record = caseRecord('C30');
    const given = { ...record, answers: answersOf(record.pending) };
    const repaired = continuedTranscript({ ...given, repair: true });
    expect(repaired[2]).toEqual(tool('toolu_old', REPAIR_TEXT));
    expect(repaired[3]).toEqual(record.messages[2]);
    expect(assertPaired(repaired).ok).toBe(true);
    const refused = assertPaired(continuedTranscript({ ...given, repair: false }));
    expect(refused).toMatchObject({
      ok: false,
      refusal: { code: 'transcript_invalid', text: expect.stringContaining('toolu_old') },
    });
  });

  test('K7 a rejection that klieo wrote without an id answers the calls it meant (upstream differs)', () => {
    const words = 'Human reviewer rejected this step: too much';
    const history = [asks(['a', 'x'], ['b', 'y']), tool(null, words), user('then this')];
    expect(checkTranscript(history, null)).toMatchObject({ unanswered: [], broken: [] });
    const messages = continuedTranscript({ runId: RUN, messages: history, pending: [], answers: [], repair: false });
    expect(messages).toEqual([history[0], tool('a', words), tool('b', words), history[2]]);
  });

  test('K7 without calls before it, it is a user message with the same text (upstream differs)', () => {
    const words = 'Human reviewer rejected this step: too much';
    const messages = continuedTranscript({
      runId: RUN,
      messages: [user('go'), tool(null, words)],
      pending: [],
      answers: [],
      repair: false,
    });
    expect(messages).toEqual([user('go'), user(words)]);
    expect(assertPaired(messages).ok).toBe(true);
  });

  test('a missing answer, an orphan and an empty id are refused before any dispatch', () => {
    const pending = pendingOf(asks(['a', 'x']));
    expect(assertPaired(continuedTranscript({ runId: RUN, messages: [], pending, answers: [], repair: true })).ok).toBe(
      false,
    );
    expect(assertPaired([tool('w0'), user('x')])).toMatchObject({
      ok: false,
      refusal: { facts: { faults: [expect.stringContaining('"w0"')] } },
    });
    expect(assertPaired([asks(['', 'x']), tool('')]).ok).toBe(false);
  });

  test('whatever the history, what passes the check is what an endpoint takes', () => {
    const ids = fc.constantFrom('a', 'b', '', 'call_0', null);
    const call = fc
      .tuple(ids, fc.constantFrom('x', 'y'), fc.constantFrom('{}', '{"n":1}'))
      .map(([id, name, args]): [string | null, string, string] => [id, name, args]);
    const message = fc.oneof(
      fc.constant(user('u')),
      ids.map((id) => tool(id)),
      fc.array(call, { maxLength: 3 }).map((calls) => asks(...calls)),
      fc.constant(tool(null, 'Human reviewer rejected this step: no')),
    );
    let passed = 0;
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 6 }),
        fc.array(call, { maxLength: 3 }),
        fc.boolean(),
        (messages, calls, repair) => {
          const pending = pendingOf(asks(...calls));
          const result = continuedTranscript({ runId: RUN, messages, pending, answers: answersOf(pending), repair });
          expect(assertPaired(result).ok).toBe(endpointTakes(result));
          const check = checkTranscript(messages, pending);
          // The check of the record foresees the last look: with consent, only what is broken is refused.
          const mended = repair || check.unanswered.length + check.strays.length === 0;
          const expected = mended && check.broken.length === 0;
          if (expected) expect(assertPaired(result).ok).toBe(true);
          if (expected) passed += 1;
        },
      ),
      { numRuns: 3000 },
    );
    expect(passed).toBeGreaterThan(300);
  });
});

describe('K7 C25 the text of a rejection', () => {
  test('the reason word for word behind the prefix, not executed, by a person', () => {
    const text = rejectionText('refund exceeds policy limit');
    expect(text.startsWith('Human reviewer rejected this step: refund exceeds policy limit')).toBe(true);
    expect(text).toContain('NOT executed');
    expect(text).toContain('a person decided');
  });

  test.each(['', '  \n'])('an empty reason gets one', (reason) => {
    expect(rejectionText(reason)).toMatch(/^Human reviewer rejected this step: no reason was given\n/);
  });
});
