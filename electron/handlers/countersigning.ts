import { writeFile } from 'node:fs/promises';
import { Decision } from '../../shared/decision.js';
import type { Taken } from '../../shared/ipc.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { addSignatures, countersigned, holdOf } from '../checkpoints/countersign.js';
import { suspensionText } from '../checkpoints/keys.js';
import { load, readDecision } from '../checkpoints/records.js';
import { itemId } from '../checkpoints/rows.js';
import { shown } from '../shell/shown.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';

type Signing = Pick<Context, 'store' | 'ports' | 'runner' | 'settings'> & {
  shell: Pick<Context['shell'], 'broadcast'> & { system: Pick<Context['shell']['system'], 'ask' | 'choosePlace'> };
};

/** A decision that came as a file, or null for whatever else it is. */
export function decisionIn(bytes: Uint8Array): Decision | null {
  const text = new TextDecoder().decode(bytes);
  if (!text.includes('"decisionId"') || !text.includes('"signatures"')) return null;
  try {
    return Decision.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * A decision file that a person brought to the window. One that was made here brings the signatures of others home. One
 * that was made elsewhere may be countersigned: the system asks, since no page may sign, and the signed file is saved to be
 * carried back. Here it is no decision: nothing on this machine can fire by it.
 */
export async function arriveDecision(context: Signing, name: string, decision: Decision): Promise<Taken> {
  const done = await guarded(() => carry(context, decision));
  if (!done.ok) return { outcome: 'refused', id: null, name, text: done.refusal.text };
  return { outcome: done.value.text === ALL_HERE ? 'already_known' : 'taken_in', name, ...done.value };
}

const ALL_HERE = 'Every signature of it is here already; nothing changed.';

async function carry(context: Signing, decision: Decision): Promise<Outcome<{ id: string; text: string }>> {
  const { store, ports, runner, shell } = context;
  const here = await readDecision(store, decision.suspension);
  if (here.kind === 'decision' && here.decision.decisionId === decision.decisionId) {
    const added = await addSignatures(store, ports, decision);
    if (!added.ok) return added;
    const id = itemId(suspensionText(decision.suspension));
    if (added.value.length === 0) return accepted({ id, text: ALL_HERE });
    await runner.decided(decision.suspension, decision.notBefore);
    shell.broadcast('runs:changed');
    return accepted({ id, text: `Signed by ${added.value.map(({ name }) => name).join(', ')} as well.` });
  }
  return sign(context, decision);
}

async function sign(context: Signing, decision: Decision): Promise<Outcome<{ id: string; text: string }>> {
  const { store, ports, settings, shell } = context;
  const name = settings.get().reviewer.trim();
  if (name === '') return refused('not_allowed', 'Enter your name in the settings first.', { missing: 'reviewer' });
  const key = await holdOf(store, ports, decision);
  if (!key.ok) return key;
  const loaded = await load(store, key.value);
  if (!loaded.ok) return loaded;
  const both = await countersigned(ports, decision, name);
  if (!both.ok) return both;
  const calls = decision.verdicts.map((verdict) => {
    const call = loaded.value.record.pending?.find(({ index }) => index === verdict.index);
    const edited = verdict.editedArguments === undefined ? '' : ' with edited arguments';
    const text = verdict.editedArguments ?? call?.arguments ?? '';
    return `${verdict.index + 1}. ${shown(call?.name ?? '?')}: ${verdict.verdict}${edited} ${shown(text)}`;
  });
  const step = decision.step ? [`The step: ${decision.step.verdict}`] : [];
  const yes = await shell.system.ask({
    message: 'Sign this decision too?',
    detail: [
      `Decided by ${shown(decision.reviewer.name)} at ${decision.decidedAt}, run ${shown(decision.suspension.runId)}, step ${decision.resumeStep}:`,
      ...step,
      ...calls,
      '',
      'What is cut here stands whole on its card. With your signature it may fire where it was decided.',
    ].join('\n'),
    yes: 'Sign it',
    no: 'Do not sign',
  });
  if (!yes) return refused('not_allowed', 'It was not signed.');
  const place = await shell.system.choosePlace(
    'Save the signed decision',
    `decision-${decision.decisionId}-signed.json`,
  );
  if (place === null) return refused('not_allowed', 'It was not saved, so it is not signed.');
  await writeFile(place, `${JSON.stringify(both.value, null, 2)}\n`, { mode: 0o600 });
  return accepted({
    id: itemId(suspensionText(key.value)),
    text: `Signed. Give the file to ${decision.reviewer.name}: it is dropped onto the window where this was decided.`,
  });
}
