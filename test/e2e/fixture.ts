import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, test as base, type ElectronApplication, type Page, type TestInfo } from 'playwright/test';
import { withoutRootRights } from './rights.js';

const root = join(import.meta.dirname, '../..');

/** The two folders that one reviewer's machine has: the application's own, and the data. Fresh for each test. */
export interface Folders {
  userData: string;
  data: string;
}

export interface LaunchOptions {
  /** After the application's folder, as a person would type them. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Instead of the test's own folders, e.g. for a second reviewer. */
  folders?: Partial<Folders>;
  /** A file without rights cannot be read, even when the tests run as root. */
  withoutRootRights?: boolean;
}

export interface Launched {
  app: ElectronApplication;
  page: Page;
  pid: number;
  /** Lines that the main process wrote to stderr so far. */
  stderr: string[];
  /** Resolves with the exit code when the main process has ended; null when a signal ended it. */
  ended: Promise<number | null>;
  /** Ends the main process as a power cut would (SIGKILL), and waits until it is gone. */
  kill(): Promise<void>;
}

export interface Fixtures {
  folders: Folders;
  /** Starts the application; callable again in one test, for a restart or a second instance. */
  launch(options?: LaunchOptions): Promise<Launched>;
  launched: Launched;
  app: ElectronApplication;
  page: Page;
}

/** The environment of an application under test: ours, with its own folders. */
export function environment(folders: Folders, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    ...Object.fromEntries(inherited),
    HOLDPOINT_USER_DATA: folders.userData,
    HOLDPOINT_DATA: folders.data,
    ...more,
  };
}

/** Electron and no window yet: what `launch` keeps even when no window comes. */
type Started = Omit<Launched, 'page'>;

async function start(folders: Folders, { args = [], env = {}, ...options }: LaunchOptions): Promise<Started> {
  const as = options.withoutRootRights ? await withoutRootRights() : { args: [] };
  // Without executablePath: only then does Playwright load itself into the main process first.
  const app = await _electron.launch({
    ...as,
    args: [...as.args, '--disable-gpu', root, ...args],
    env: environment(folders, env),
    timeout: 30_000,
  });
  const child = app.process();
  const stderr: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(...String(chunk).split('\n').filter(Boolean)));
  await app.context().tracing.start({ screenshots: true, snapshots: true, sources: true });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { app, pid: child.pid ?? 0, stderr, ended, kill };
}

/** Playwright's own screenshot and trace options do not reach Electron: kept here, for a failed test only. */
async function keepEvidence({ app, stderr }: Started, index: number, info: TestInfo): Promise<void> {
  for (const [number, page] of app.windows().entries()) {
    const path = info.outputPath(`application-${index}-window-${number}.png`);
    await page.screenshot({ path, timeout: 5000 });
    info.attachments.push({ name: `window ${number}`, path, contentType: 'image/png' });
  }
  const path = info.outputPath(`application-${index}-trace.zip`);
  await app.context().tracing.stop({ path });
  info.attachments.push({ name: 'trace', path, contentType: 'application/zip' });
  await info.attach('stderr of the main process', { body: stderr.join('\n'), contentType: 'text/plain' });
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the application as a plain process to its end, for starts that open no window: a second instance, a command.
 * Killed after 20 seconds (`code` is then null).
 */
export async function runToEnd(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
  // The package's default export is the path of the executable.
  const { default: electron } = (await import('electron')) as unknown as { default: string };
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return new Promise((resolve) => {
    const options = { env, timeout: 20_000, killSignal: 'SIGKILL' as const };
    const child = execFile(
      electron,
      [...sandbox, '--disable-gpu', root, ...args],
      options,
      (_error, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr });
      },
    );
  });
}

/** Asks it to quit; one that does not is killed and reported, so that no process is left behind. */
async function end({ app, kill }: Started): Promise<void> {
  const late = new Promise<'late'>((done) => setTimeout(done, 15_000, 'late'));
  if ((await Promise.race([app.close(), late])) !== 'late') return;
  await kill();
  throw new Error('the application did not quit within 15 seconds');
}

async function runs({ ended }: Started): Promise<boolean> {
  const now = new Promise<'runs'>((done) => setImmediate(done, 'runs'));
  return (await Promise.race([ended, now])) === 'runs';
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a destructured first argument
  folders: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'holdpoint-e2e-'));
    await use({ userData: join(home, 'user data'), data: join(home, 'data') });
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  },
  launch: async ({ folders }, use, info) => {
    const all: Started[] = [];
    await use(async (options = {}) => {
      const started = await start({ ...folders, ...options.folders }, options);
      all.push(started);
      return { ...started, page: await started.app.firstWindow({ timeout: 20_000 }) };
    });
    const failed = info.status !== info.expectedStatus;
    for (const [index, launched] of all.entries()) {
      if (!(await runs(launched))) continue;
      if (failed)
        await keepEvidence(launched, index, info).catch((cause: unknown) => {
          console.error(`no evidence of application ${index}: ${String(cause)}`);
        });
      await end(launched);
    }
  },
  launched: async ({ launch }, use) => use(await launch()),
  app: async ({ launched }, use) => use(launched.app),
  page: async ({ launched }, use) => use(launched.page),
});

export { expect } from 'playwright/test';
