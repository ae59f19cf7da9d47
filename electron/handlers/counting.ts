import { accepted } from '../../shared/refusal.js';
import type { Handlers } from '../answering.js';
import { classOf } from '../checkpoints/facts.js';
import { eachHistory } from '../checkpoints/history.js';
import { insightCounter } from '../checkpoints/insight.js';
import { suspensionText } from '../checkpoints/keys.js';
import { itemId, listRows } from '../checkpoints/rows.js';
import { guarded } from '../store/refusal.js';
import type { Context } from './context.js';

/** Counts over the whole history; one suspension's events are held at a time. */
export function counting({ store, ports }: Context): Pick<Handlers, 'insight:read'> {
  return {
    'insight:read': (days) =>
      guarded(async () => {
        const settings = ports.settings();
        const rows = new Map((await listRows(store, ports, () => null)).map((row) => [row.id, row]));
        const counter = insightCounter({
          now: Number(ports.clock.now() / 1_000_000n),
          days,
          reviewer: settings.reviewer,
          effectOf: (source, tool) => classOf(settings, source, tool).effect,
        });
        for await (const events of eachHistory(store)) {
          const key = events.find(({ suspension }) => suspension !== null)?.suspension;
          const row = key ? rows.get(itemId(suspensionText(key))) : undefined;
          counter.add(events, row?.tools ?? toolsOf(events), row ? !row.other : wasEnded(events));
        }
        return accepted(counter.result());
      }),
  };
}

type Events = Parameters<ReturnType<typeof insightCounter>['add']>[0];

/** Of a run that was removed, its tombstone still names the tools. */
function toolsOf(events: Events): string[] {
  const tools = events.find(({ kind }) => kind === 'reaped')?.facts['tools'];
  return Array.isArray(tools) ? tools.map(String) : [];
}

const wasEnded = (events: Events): boolean => events.some(({ kind }) => kind === 'decided' || kind === 'expired');
