import { readFile } from 'node:fs/promises';
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import type { Team } from '../../../shared/settings.js';

/** Everything that a connection needs, secrets included; made anew for each, so that a changed secret counts at once. */
export interface Way {
  servers: string[];
  authenticator: Authenticator | null;
  inboxPrefix: string;
  /** PEM; null: what the system trusts. */
  ca: string | null;
}

/** Reads what the settings name. Refused in words when a file or the secret is missing, or is not what it should be. */
export async function teamWay(team: Team, secret: string | null): Promise<Outcome<Way>> {
  if (team.servers.length === 0) return refused('bad_request', 'No server is named in the settings.');
  const authenticator = await authenticatorOf(team, secret);
  if (!authenticator.ok) return authenticator;
  const ca = team.caFile === '' ? accepted(null) : await textOf(team.caFile, 'The file of the certificate authority');
  if (!ca.ok) return ca;
  if (ca.value !== null && !ca.value.includes('-----BEGIN CERTIFICATE-----'))
    return refused('bad_request', `${team.caFile} holds no certificate (PEM).`, { reason: 'wrong_ca' });
  const own = team.inbox || (team.credentials.kind === 'password' ? team.credentials.user : '');
  const inboxPrefix = /^[A-Za-z0-9_-]+$/.test(own) ? `_INBOX.${own}` : '_INBOX';
  return accepted({ servers: team.servers, authenticator: authenticator.value, inboxPrefix, ca: ca.value });
}

async function authenticatorOf({ credentials }: Team, secret: string | null): Promise<Outcome<Authenticator | null>> {
  if (credentials.kind === 'none') return accepted(null);
  if (credentials.kind === 'creds') {
    const text = await textOf(credentials.file, 'The credentials file');
    if (!text.ok) return text;
    return made(() => credsAuthenticator(new TextEncoder().encode(text.value)), 'The credentials file');
  }
  if (secret === null || secret === '')
    return refused('bad_request', 'The secret of these credentials is not in the key store: enter it, and store it.', {
      reason: 'no_secret',
    });
  if (credentials.kind === 'token') return accepted(tokenAuthenticator(secret));
  if (credentials.kind === 'password') return accepted(usernamePasswordAuthenticator(credentials.user, secret));
  return made(() => nkeyAuthenticator(new TextEncoder().encode(secret.trim())), 'The NKey seed');
}

/** Tried once here, so that what is no seed is told in words and not by a lost connection. */
function made(make: () => Authenticator, what: string): Outcome<Authenticator> {
  try {
    const authenticator = make();
    authenticator('probe');
    return accepted(authenticator);
  } catch {
    return refused('bad_request', `${what} is not one: it cannot sign.`, { reason: 'bad_credentials' });
  }
}

async function textOf(path: string, what: string): Promise<Outcome<string>> {
  try {
    return accepted(await readFile(path, 'utf8'));
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    return refused('bad_request', `${what} cannot be read: ${text}`, { path });
  }
}
