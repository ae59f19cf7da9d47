import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** An authority of its own, and a server's certificate for the loopback that it signed; paths of PEM files. */
export function certificates(folder: string, name: string): { ca: string; cert: string; key: string } {
  const at = (end: string): string => join(folder, `${name}-${end}.pem`);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30'];
  const ca = at('ca');
  openssl('req', '-x509', ...made, '-keyout', at('ca-key'), '-out', ca, '-subj', `/CN=${name} authority`);
  const san = ['-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=CA:FALSE'];
  const subject = ['-subj', '/CN=localhost', ...san];
  openssl(
    'req',
    '-x509',
    ...made,
    '-keyout',
    at('key'),
    '-out',
    at('cert'),
    '-CA',
    ca,
    '-CAkey',
    at('ca-key'),
    ...subject,
  );
  return { ca, cert: at('cert'), key: at('key') };
}
