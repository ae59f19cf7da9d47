import { useEffect, useState } from 'react';
import { text as words } from '../text.js';
import { sha256 } from './sha256.js';

/** Short form of a digest; the whole stands in its title. */
export function DigestOf({ hex }: { hex: string }) {
  return (
    <span className="digest mono faint" title={hex}>
      {words.args.digest(hex)}
    </span>
  );
}

/** The digest of a text on screen, worked out here. */
export function Digest({ text }: { text: string }) {
  const [hex, setHex] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    void sha256(text).then((digest) => {
      if (current) setHex(digest);
    });
    return () => {
      current = false;
    };
  }, [text]);
  return hex === null ? null : <DigestOf hex={hex} />;
}
