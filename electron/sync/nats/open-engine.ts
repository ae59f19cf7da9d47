import type { NatsConnection } from '@nats-io/transport-node';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import type { Team } from '../../../shared/settings.js';
import { EngineAway } from '../engine.js';
import { openConnection } from './connection.js';
import { faultOf } from './faults.js';
import { type Durability, fitness } from './fitness.js';
import { allSync } from './monitors.js';
import { type NatsEngine, natsEngine } from './nats-engine.js';
import { probe } from './probe.js';
import { teamWay } from './team-way.js';

/** An engine that passed the gate and the probe. */
export interface OpenedEngine {
  engine: NatsEngine;
  connection: NatsConnection;
  /** Shown where claims are; without it a call that may not run twice needs the team's word (H21). */
  durability: Durability;
  /** The engine's own time when it was probed, nanoseconds. */
  at: bigint;
  version: string;
  close(): Promise<void>;
}

/**
 * Connects, looks at the server and the bucket, and probes; only then anything is trusted. Refused in words, with
 * `facts.reason` for each thing that can be wrong; what cannot be reached now is refused too, and is to be tried again.
 */
export async function openTeamEngine(team: Team, secret: string | null): Promise<Outcome<OpenedEngine>> {
  const way = await teamWay(team, secret);
  if (!way.ok) return way;
  const connected = await openConnection(way.value);
  if (!connected.ok) return connected;
  const opened = await checked(connected.value, team);
  if (!opened.ok) await connected.value.close();
  return opened;
}

async function checked(connection: NatsConnection, team: Team): Promise<Outcome<OpenedEngine>> {
  try {
    const engine = await natsEngine(connection, team.bucket);
    const { config, cluster } = await engine.info();
    const version = connection.info?.version ?? '';
    const clustered = connection.info?.cluster !== undefined || (cluster?.replicas ?? []).length > 0;
    const fit = fitness({ version, clustered, config, synced: await allSync(team.monitors) }, team.unverified);
    if (!fit.ok) return fit;
    const probed = await probe(engine);
    if (!probed.ok) return probed;
    const close = (): Promise<void> => connection.close();
    return accepted({ engine, connection, durability: fit.value, at: probed.value.at, version, close });
  } catch (error) {
    return notThere(error, team.bucket);
  }
}

/** What a bucket that cannot be looked at lacks, in words. */
function notThere(error: unknown, bucket: string): Outcome<never> {
  const fault = faultOf(error instanceof EngineAway && error.cause !== undefined ? error.cause : error);
  const because = { reason: fault.kind, said: fault.text };
  switch (fault.kind) {
    case 'no_jetstream':
      return refused('not_allowed', 'The server runs without JetStream, or not for these credentials.', because);
    case 'no_bucket':
      return refused(
        'not_allowed',
        `There is no bucket "${bucket}". An administrator makes it; Holdpoint never does.`,
        because,
      );
    case 'no_right':
      return refused(
        'not_allowed',
        `The server gives no right to ${fault.operation === 'publish' ? 'publish' : 'subscribe to'} ${fault.subject}.`,
        {
          ...because,
          subject: fault.subject,
        },
      );
    case 'no_answer':
      return refused(
        'in_doubt',
        'The server answers, but JetStream does not: it has no leader now, or is not switched on.',
        because,
      );
    default:
      return refused('in_doubt', `The engine could not be looked at: ${fault.text}.`, because);
  }
}
