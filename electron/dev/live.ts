import { type ChildProcess, spawn } from 'node:child_process';
import { createBuilder, type Plugin, type ViteDevServer } from 'vite';

/** One Electron at a time; a restart waits for the old one's end, which frees the single-instance lock. */
class LiveElectron {
  private child: ChildProcess | undefined;
  private again = false;
  private readonly command: string;
  private readonly args: readonly string[];
  private readonly url: string;
  private readonly closed: (code: number) => void;

  constructor(command: string, args: readonly string[], url: string, closed: (code: number) => void) {
    this.command = command;
    this.args = args;
    this.url = url;
    this.closed = closed;
  }

  get running(): boolean {
    return this.child !== undefined;
  }

  restart(): void {
    if (this.child) {
      this.again = true;
      this.child.kill();
      return;
    }
    const env = { ...process.env, HOLDPOINT_DEV_URL: this.url };
    this.child = spawn(this.command, this.args, { stdio: 'inherit', env });
    this.child.once('exit', (code) => {
      this.child = undefined;
      if (!this.again) return this.closed(code ?? 1);
      this.again = false;
      this.restart();
    });
  }
}

async function live(server: ViteDevServer, root: string, configFile: string): Promise<void> {
  const url = server.resolvedUrls?.local[0];
  if (!url) throw new Error('the development server has no local address');
  const { default: command } = (await import('electron')) as unknown as { default: string };
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const electron = new LiveElectron(command, [...sandbox, root], url, (code) => {
    void server.close().finally(() => process.exit(code));
  });
  const builder = await createBuilder({ configFile, mode: 'development' }, null);
  const unbuilt = new Set(['preload', 'approve', 'main']);
  for (const name of [...unbuilt]) {
    const environment = builder.environments[name];
    if (!environment) throw new Error(`vite.config.ts has no environment ${name}`);
    environment.config.build.watch = {};
    const watcher = await builder.build(environment);
    if (!('on' in watcher)) throw new Error(`${name} is not watched`);
    watcher.on('event', (event) => {
      if (event.code !== 'END') return;
      unbuilt.delete(name);
      if (unbuilt.size > 0) return;
      if (name === 'main' || !electron.running) electron.restart();
      else server.ws.send({ type: 'full-reload' });
    });
  }
}

/**
 * `npm run dev`: the page with hot replacement from Vite's server, Electron beside it. A change in the main process
 * restarts Electron, one in the preload script or the approve control reloads the page; closing Electron ends the server.
 */
export function liveElectron(root: string, configFile: string): Plugin {
  return {
    name: 'holdpoint:live-electron',
    apply: 'serve',
    configureServer(server) {
      if (process.env['VITEST']) return;
      server.httpServer?.once('listening', () => {
        live(server, root, configFile).catch((cause: unknown) => {
          server.config.logger.error(`Electron could not be started: ${String(cause)}`);
          process.exit(1);
        });
      });
    },
  };
}
