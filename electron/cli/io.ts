/** Where a command reads and writes; the process itself, or what a test gives. */
export interface Io {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
  stdin: NodeJS.ReadableStream;
}

/** Writes to a stream and waits until it has it. A reader that went away (`| head`) is no error: nobody reads the rest. */
export function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error && !isGone(error) ? reject(error) : resolve()));
  });
}

/** Without a listener a broken pipe would end the process with a stack trace. */
export function tolerateBrokenPipes(io: Io): void {
  for (const stream of [io.stdout, io.stderr])
    stream.on('error', (error: Error) => {
      if (!isGone(error)) throw error;
    });
}

function isGone(error: Error): boolean {
  return (
    'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' || error.code === 'ECONNRESET')
  );
}
