import { useRun } from '../run/run-store.js';
import { useSettings } from '../settings/settings-store.js';
import { type Current, type CurrentFacts, currentOf } from './current.js';
import { useDecision } from './decision-store.js';

/** What is in front of the reviewer at this moment, from the stores: for an act. */
export function readCurrent(): Current | null {
  const run = useRun.getState();
  const decision = useDecision.getState();
  const readOnly = useSettings.getState().health?.readOnly ?? null;
  return run.detail ? currentOf({ ...run, ...decision, detail: run.detail, readOnly }) : null;
}

/** The same, as a hook: for the page. */
export function useCurrent(): Current | null {
  const detail = useRun((s) => s.detail);
  const at = useRun((s) => s.at);
  const texts = useRun((s) => s.texts);
  const reached = useRun((s) => s.reached);
  const sideways = useRun((s) => s.sideways);
  const mode = useDecision((s) => s.mode);
  const drafts = useDecision((s) => s.drafts);
  const stepDrafts = useDecision((s) => s.stepDrafts);
  const repair = useDecision((s) => s.repair);
  const readOnly = useSettings((s) => s.health?.readOnly ?? null);
  if (!detail) return null;
  const facts: CurrentFacts = { detail, at, texts, reached, sideways, mode, drafts, stepDrafts, repair, readOnly };
  return currentOf(facts);
}
