const LINE_FEED = 0x0a;

interface LineReader {
  /** False when a line grew over the limit; the reader takes nothing more after that. */
  push(chunk: Buffer): boolean;
}

/** Cuts a byte stream into UTF-8 lines (without the line end), keeping at most `maxBytes` of an unfinished one. */
export function makeLineReader(maxBytes: number, onLine: (line: string, bytes: number) => void): LineReader {
  let parts: Buffer[] = [];
  let size = 0;
  let full = false;

  const take = (piece: Buffer): boolean => {
    size += piece.length;
    if (size > maxBytes) {
      full = true;
      parts = [];
      return false;
    }
    parts.push(piece);
    return true;
  };

  return {
    push(chunk) {
      let from = 0;
      while (!full) {
        const end = chunk.indexOf(LINE_FEED, from);
        if (!take(chunk.subarray(from, end === -1 ? chunk.length : end))) break;
        if (end === -1) break;
        const line = Buffer.concat(parts).toString('utf8');
        const bytes = size;
        parts = [];
        size = 0;
        from = end + 1;
        onLine(line.endsWith('\r') ? line.slice(0, -1) : line, bytes);
      }
      return !full;
    },
  };
}
