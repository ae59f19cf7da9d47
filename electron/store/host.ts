import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import os from 'node:os';
import { startOf } from '../process-start.js';
import type { Disk } from './disk.js';
import { readText } from './read-whole.js';

/** Who writes: the machine, its boot, and which of its processes are alive. Tests give their own. */
export interface HostIdentity {
  /** 16 hex digits that name the machine and tell nothing about it. */
  id: string;
  /** 8 hex digits of the boot, or '0' where the system does not tell. */
  boot: string;
  pid: number;
  /** When this process was started, as its system counts it, in digits; '0' where that is not told. */
  start: string;
  /** Does that process run? Another one that got its number since is not it; a start of '0' is not looked at. */
  alive(pid: number, start: string): boolean;
}

/** A command's first match, or null. */
function ask(command: string, args: string[], pattern: RegExp): string | null {
  try {
    return (
      pattern.exec(execFileSync(command, args, { encoding: 'utf8', timeout: 5000, windowsHide: true }))?.[1] ?? null
    );
  } catch {
    return null; // The host name stands in.
  }
}

function machineId(disk: Disk): string {
  const known = () => {
    if (process.platform === 'darwin') {
      return ask('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], /"IOPlatformUUID" = "([^"]+)"/);
    }
    if (process.platform === 'win32') {
      const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
      return ask('reg.exe', ['query', key, '/v', 'MachineGuid', '/reg:64'], /MachineGuid\s+REG_SZ\s+(\S+)/);
    }
    const found = readText(disk, '/etc/machine-id') ?? readText(disk, '/var/lib/dbus/machine-id');
    return found === null || found.trim() === '' ? null : found.trim();
  };
  return known() ?? `host ${os.hostname()}`;
}

function short(text: string, digits: number): string {
  return createHash('sha256').update(`holdpoint host\0${text}`).digest('hex').slice(0, digits);
}

/** True when a process with that id runs, whoever owns it. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The identity of this machine and process. The machine's own id never leaves it: only a hash is written. */
export function thisHost(disk: Disk): HostIdentity {
  const boot = readText(disk, '/proc/sys/kernel/random/boot_id');
  return {
    id: short(machineId(disk), 16),
    boot: boot === null ? '0' : short(boot.trim(), 8),
    pid: process.pid,
    start: startOf(process.pid) ?? '0',
    alive: (pid, start) => runs(pid) && (start === '0' || (startOf(pid) ?? start) === start),
  };
}
