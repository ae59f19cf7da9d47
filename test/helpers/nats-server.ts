import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server that a test started, on free ports of the loopback. */
export interface RunningNats {
  url: string;
  port: number;
  /** Address of its monitoring page. */
  monitor: string;
  folder: string;
  /** As if its machine had died; nothing is flushed. */
  kill(): Promise<void>;
  /** Stops its process without ending it. */
  pause(): void;
  goOn(): void;
  /** Starts it again on the same ports and files. */
  start(): Promise<void>;
}

export interface NatsWorld {
  program: string;
  /** One server; `more` is configuration besides ports, name and JetStream. */
  single(more?: string, options?: { jetstream?: string | null }): Promise<RunningNats>;
  /** Three servers that replicate. */
  cluster(more?: string): Promise<RunningNats[]>;
  /** A folder that goes with the test. */
  folder: string;
}

const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** Ports of the loopback that were free just now. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer().once('error', reject);
          server.listen(0, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  const ports = held.map((server) => (server.address() as { port: number }).port);
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Where the servers of one test live; `end` ends each of them by its process. */
export function natsWorld(program: string): NatsWorld & { end(): Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-nats-'));
  const children = new Map<string, ChildProcess>();
  const sync = program.includes('bookworm') ? '' : ', sync_interval: always';

  async function server(name: string, port: number, http: number, config: string): Promise<RunningNats> {
    const file = join(folder, `${name}.conf`);
    writeFileSync(file, `server_name: ${name}\nlisten: 127.0.0.1:${port}\nhttp: 127.0.0.1:${http}\n${config}\n`);
    const monitor = `http://127.0.0.1:${http}`;
    const kill = async (): Promise<void> => {
      const child = children.get(name);
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      await new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGKILL');
      });
    };
    const start = async (): Promise<void> => {
      const child = spawn(program, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
      living.add(child);
      children.set(name, child);
      let said = '';
      child.stderr?.on('data', (bytes: Buffer) => {
        said = (said + bytes.toString()).slice(-4000);
      });
      child.once('exit', () => living.delete(child));
      for (let tries = 0; tries < 400; tries++) {
        if (child.exitCode !== null) throw new Error(`nats-server did not start:\n${said}`);
        if (await healthy(monitor)) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`nats-server is not well:\n${said}`);
    };
    return {
      url: `nats://127.0.0.1:${port}`,
      port,
      monitor,
      folder,
      kill,
      start,
      pause: () => void children.get(name)?.kill('SIGSTOP'),
      goOn: () => void children.get(name)?.kill('SIGCONT'),
    };
  }

  return {
    program,
    folder,
    async single(more = '', { jetstream = `store_dir: "${join(folder, `store-${children.size}`)}"${sync}` } = {}) {
      const [port = 0, http = 0] = await freePorts(2);
      const one = await server(
        `n${children.size}`,
        port,
        http,
        `${jetstream === null ? '' : `jetstream { ${jetstream} }`}\n${more}`,
      );
      await one.start();
      return one;
    },
    async cluster(more = '') {
      const ports = await freePorts(9);
      const routes = ports.slice(6).map((port) => `nats://127.0.0.1:${port}`);
      const servers = await Promise.all(
        [0, 1, 2].map((n) =>
          server(
            `c${n}`,
            ports[n] ?? 0,
            ports[n + 3] ?? 0,
            [
              `jetstream { store_dir: "${join(folder, `c${n}`)}"${sync} }`,
              `cluster { name: holdpoint, listen: "127.0.0.1:${ports[n + 6]}", routes: [${routes.join(', ')}] }`,
              more,
            ].join('\n'),
          ),
        ),
      );
      await Promise.all(servers.map((one) => one.start()));
      for (let tries = 0; tries < 400 && !(await haveMet(servers)); tries++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      return servers;
    },
    async end() {
      for (const child of children.values()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        await new Promise((resolve) => {
          child.once('exit', resolve);
          child.kill('SIGKILL');
        });
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Up, and where it has JetStream, that is ready too. */
async function healthy(monitor: string): Promise<boolean> {
  try {
    return (await fetch(`${monitor}/healthz?js-server-only=true`)).ok;
  } catch {
    return false;
  }
}

/** One of them leads, and has heard from both of the others. */
async function haveMet(servers: readonly RunningNats[]): Promise<boolean> {
  for (const { monitor } of servers) {
    const { meta_cluster: met } = (await (await fetch(`${monitor}/jsz`)).json()) as {
      meta_cluster?: { replicas?: { current?: boolean; offline?: boolean }[] };
    };
    const replicas = met?.replicas ?? [];
    if (replicas.length === 2 && replicas.every((one) => one.current && !one.offline)) return true;
  }
  return false;
}
