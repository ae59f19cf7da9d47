import type { Refusal } from '../../../shared/refusal.js';
import type { Team } from '../../../shared/settings.js';
import type { TeamFinding, TeamTest } from '../../../shared/team.js';
import { EngineAway } from '../engine.js';
import { faultOf } from './faults.js';
import { OLDEST } from './fitness.js';
import { type OpenedEngine, openTeamEngine } from './open-engine.js';
import { missingRights, writtenSubjects } from './rights.js';

/** A clock that is further off than this is told; nothing is decided by it. Milliseconds. */
const CLOCK_MS = 120_000;

const good = (code: string, text: string): TeamFinding => ({ level: 'good', code, text });
const note = (code: string, text: string): TeamFinding => ({ level: 'note', code, text });
const bad = (code: string, text: string): TeamFinding => ({ level: 'bad', code, text });

/**
 * Tries everything that a reviewer needs of the shared engine, and says in words what is wrong: connection, certificate,
 * credentials, JetStream, bucket, version, probe, rights by subject, durability, clock. `now`: this machine's, milliseconds.
 */
export async function examineTeam(
  team: Team,
  secret: string | null,
  reviewer: string,
  now = Date.now(),
): Promise<TeamTest> {
  const opened = await openTeamEngine(team, secret);
  if (!opened.ok) return { ok: false, findings: [bad(codeOf(opened.refusal), opened.refusal.text)] };
  const { value: engine } = opened;
  try {
    const findings = [
      good('connected', `Connected to nats-server ${engine.version}; bucket "${team.bucket}" holds a compare-and-set.`),
      ...(await rightsOf(engine, team, reviewer)),
      durabilityOf(engine),
      ...clockOf(engine, now),
    ];
    return { ok: findings.every((one) => one.level !== 'bad'), findings };
  } finally {
    await engine.close();
  }
}

function codeOf({ code, facts }: Refusal): string {
  const { reason } = facts;
  return typeof reason === 'string' ? reason : code;
}

/** Reads as a reviewer's Holdpoint does, and asks for every subject that it writes. */
async function rightsOf({ engine, connection }: OpenedEngine, team: Team, reviewer: string): Promise<TeamFinding[]> {
  const found: TeamFinding[] = [];
  const tried = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const fault = faultOf(error instanceof EngineAway && error.cause !== undefined ? error.cause : error);
      if (fault.kind === 'no_right')
        found.push(bad('no_right', `${what}: the right to ${fault.operation} ${fault.subject} is missing.`));
      else found.push(bad(fault.kind, `${what}: ${fault.text}.`));
    }
  };
  await tried('Listing what there is', async () => {
    for await (const _ of engine.keys()) break;
  });
  await tried('Large records', () => engine.blobs.get('0'.repeat(64)));
  await tried('Writing', async () => {
    for (const subject of await missingRights(connection, writtenSubjects(team.bucket, reviewer)))
      found.push(bad('no_right', `The right to publish ${subject} is missing.`));
  });
  if (found.length > 0) return found;
  if (reviewer === '') return [note('no_name', 'Your name is not set: whether you may write decisions was not tried.')];
  return [good('rights', 'Every right that a reviewer needs is there.')];
}

function durabilityOf({ durability, version }: OpenedEngine): TeamFinding {
  if (durability === 'verified') return good('durable', 'Every server named syncs each write: durability verified.');
  return note(
    'unverified',
    `Durability unverified: nobody can see here whether claims that this server (${version}) acknowledged survive a power cut. ` +
      `Needed: ${OLDEST} or newer, sync_interval: always, and a monitoring address for each server.`,
  );
}

function clockOf({ at }: OpenedEngine, now: number): TeamFinding[] {
  const off = now - Number(at / 1_000_000n);
  if (Math.abs(off) < CLOCK_MS) return [];
  const minutes = Math.round(Math.abs(off) / 60_000);
  const long =
    minutes < 120
      ? `${minutes} minutes`
      : minutes < 2880
        ? `${Math.round(minutes / 60)} hours`
        : `${Math.round(minutes / 1440)} days`;
  const which = off > 0 ? 'ahead of' : 'behind';
  return [
    note(
      'clock',
      `This machine's clock is ${long} ${which} the server's. Nothing is decided by it; times shown may look odd.`,
    ),
  ];
}
