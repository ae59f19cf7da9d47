import { text as words } from '../text.js';

/** So much of the end is always shown: the folder's own name says which one it is. */
const TAIL = 24;

/** The whole path where there is room; else its beginning, an ellipsis in the middle, and its end. */
export function FolderPath({ path }: { path: string }) {
  const { head, tail } = splitPath(path);
  return (
    <span className="mono folder" title={path} role="img" aria-label={words.footer.folder(path)}>
      <span className="head">{head}</span>
      <span className="tail">{tail}</span>
    </span>
  );
}

/** Cuts before a separator, so that the end keeps whole names where they are short enough. */
export function splitPath(path: string): { head: string; tail: string } {
  const separators = [...path.matchAll(/[/\\](?!$)/g)].map((match) => match.index);
  const at = separators.find((index) => path.length - index <= TAIL) ?? Math.max(0, path.length - TAIL);
  return { head: path.slice(0, at), tail: path.slice(at) };
}
