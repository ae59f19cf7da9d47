import type { ModelEndpoint, Settings, ToolServer } from '../../shared/settings.js';
import { shown } from './shown.js';
import { tableWeakenings } from './table-weakenings.js';

/** Finds what one kind of setting loses in safety between `before` and `after`: a sentence for each, for a person. */
type Check = (before: Settings, after: Settings) => string[];

/** Every kind of setting that can weaken safety has its line here, and nowhere else. Pure. */
const CHECKS: readonly Check[] = [reviewers, twoPersons, undoWindow, toolTable, servers, models, approveKey, team];

/** What the change would weaken, in words; empty when it may be stored without a question. */
export function weakenings(before: Settings, after: Settings): string[] {
  return CHECKS.flatMap((check) => check(before, after));
}

/** Who may sign: a key that is added can let calls fire, one that goes takes decisions out of force. */
function reviewers(before: Settings, after: Settings): string[] {
  const key = (one: Settings['reviewers'][number]): string => `${one.publicKey} ${one.name}`;
  const added = after.reviewers.filter((one) => !before.reviewers.some((old) => key(old) === key(one)));
  const gone = before.reviewers.filter((one) => !after.reviewers.some((now) => key(now) === key(one)));
  return [
    ...added.map((one) => `Signatures of ${shown(one.name)} count from now on, with the public key ${one.publicKey}`),
    ...gone.map((one) => `Signatures of ${shown(one.name)} count no more (public key ${one.publicKey})`),
  ];
}

function twoPersons(before: Settings, after: Settings): string[] {
  return before.twoPersons && !after.twoPersons ? ['Destructive calls need one signature only, no second one'] : [];
}

function undoWindow(before: Settings, after: Settings): string[] {
  return before.undoSeconds > 0 && after.undoSeconds === 0
    ? ['There is no undo window: what is decided may start at once']
    : [];
}

function toolTable(before: Settings, after: Settings): string[] {
  // Of a server that was a sample, rows were never asked for: once it is a real one, they count as new.
  const turned = before.servers.filter(({ name }) => isSample(before, name) && !isSample(after, name));
  const asked = before.tools.filter(({ server }) => !turned.some(({ name }) => name === server));
  return tableWeakenings(asked, after.tools, (server) => isSample(after, server));
}

/** Of the samples alone: nothing real stands behind that server. */
function isSample({ servers }: Settings, name: string): boolean {
  const named = servers.filter((server) => server.name === name);
  return named.length > 0 && named.every((server) => server.kind === 'sample');
}

/** A program that is started, or an address that calls are sent to. */
function servers(before: Settings, after: Settings): string[] {
  return changed(before.servers, after.servers, ({ timeoutSeconds: _, ...server }) => JSON.stringify(server)).flatMap(
    (server) => inWords(server),
  );
}

function inWords(server: ToolServer): string[] {
  const name = shown(server.name);
  if (server.kind === 'sample') return [];
  if (server.kind === 'http') return [`Tool server ${name} is at ${shown(server.url)}`];
  const env = Object.keys(server.env);
  const words = [server.command, ...server.args].map((word) => shown(word)).join(' ');
  const beside = [
    ...(server.cwd === undefined ? [] : [`in ${shown(server.cwd)}`]),
    ...(env.length > 0 ? [`with ${env.map((one) => shown(one)).join(', ')} set`] : []),
  ];
  return [`Tool server ${name} starts this program: ${[words, ...beside].join(', ')}`];
}

/** Where conversations go, and the endpoint's key with them. */
function models(before: Settings, after: Settings): string[] {
  const found = changed(before.models, after.models, (model: ModelEndpoint) => JSON.stringify(model));
  return found.flatMap((model) =>
    model.kind === 'openai'
      ? [`Conversations of the model ${shown(model.name)} go to ${shown(model.baseUrl)} (${shown(model.model)})`]
      : [],
  );
}

/** The key that confirms an approval is one that the hand knows. */
function approveKey(before: Settings, after: Settings): string[] {
  const was = before.keys['approve'];
  const is = after.keys['approve'];
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  return [
    is ? `The key ${shown(is.join(' '))} confirms an approval` : 'The key that confirms an approval is as at first',
  ];
}

/** Where decisions go and claims are made, and whether an engine is trusted of which nobody can see that it keeps them. */
function team({ team: before }: Settings, { team: after }: Settings): string[] {
  const way = (one: Settings['team']): string => JSON.stringify([one.servers, one.bucket, one.caFile]);
  const servers = after.servers.map((one) => shown(one)).join(', ');
  return [
    ...(after.servers.length > 0 && way(before) !== way(after)
      ? [`The shared engine that the team trusts is ${servers}, bucket ${shown(after.bucket)}`]
      : []),
    ...(after.unverified && !before.unverified
      ? ['A shared engine is trusted of which nobody can see that acknowledged claims survive a power cut']
      : []),
  ];
}

/** Those that are new, or not what they were under their name. */
function changed<T extends { name: string }>(before: readonly T[], after: readonly T[], text: (one: T) => string): T[] {
  return after.filter((one) => !before.some((old) => old.name === one.name && text(old) === text(one)));
}
