import { z } from 'zod';

/** Characters of one tool answer that are kept. */
const MAX_RESULT_CHARS = 4 * 1024 * 1024;

/** Levels of nesting that are rendered; deeper values could exhaust the stack here or in whoever reads the text. */
const MAX_DEPTH = 512;

const Part = z.looseObject({ type: z.string() });
const Text = z.looseObject({ type: z.literal('text'), text: z.string() });
const Media = z.looseObject({ type: z.enum(['image', 'audio']), mimeType: z.string(), data: z.string() });
const Link = z.looseObject({ type: z.literal('resource_link'), uri: z.string() });
const Resource = z.looseObject({
  type: z.literal('resource'),
  resource: z.looseObject({
    uri: z.string(),
    mimeType: z.string().optional(),
    text: z.string().optional(),
    blob: z.string().optional(),
  }),
});
const Result = z.looseObject({ content: z.array(z.unknown()), structuredContent: z.unknown().optional() });

/**
 * A tool's result as one text: its texts joined by line ends, everything else named with type and size, structured
 * content as JSON when there is no text, and the whole result as JSON when its shape is not the protocol's.
 */
export function resultText(result: unknown): string {
  const read = Result.safeParse(result);
  if (!read.success) return capText(jsonText(result));
  const { content, structuredContent } = read.data;
  const parts = content.map(partText);
  if (structuredContent !== undefined && !content.some((part) => Text.safeParse(part).success)) {
    parts.push(jsonText(structuredContent));
    if (!isTooDeep(structuredContent) && holdsRoundedNumber(structuredContent))
      parts.push('[numbers past 2^53 above are rounded]');
  }
  return capText(parts.join('\n'));
}

function partText(part: unknown): string {
  const text = Text.safeParse(part);
  if (text.success) return text.data.text;
  const media = Media.safeParse(part);
  if (media.success)
    return `[${media.data.type} ${short(media.data.mimeType)}, ${decodedBytes(media.data.data)} bytes]`;
  const link = Link.safeParse(part);
  if (link.success) return `[link ${short(link.data.uri)}]`;
  const embedded = Resource.safeParse(part);
  if (embedded.success) {
    const { uri, mimeType, text: inner, blob } = embedded.data.resource;
    const size = blob === undefined ? '' : `, ${decodedBytes(blob)} bytes`;
    const head = `[resource ${short(uri)}${mimeType === undefined ? '' : ` ${short(mimeType)}`}${size}]`;
    return inner === undefined ? head : `${head}\n${inner}`;
  }
  const other = Part.safeParse(part);
  return other.success ? `[${short(other.data.type)}]` : '[unreadable part]';
}

function jsonText(value: unknown): string {
  if (isTooDeep(value)) return `[an answer nested over more than ${MAX_DEPTH} levels, which is not shown]`;
  return JSON.stringify(value) ?? '';
}

/** Level by level instead of by recursion, so that the check itself needs no deep stack. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/** Structured content comes parsed, so a number this large may no longer be the one the tool wrote (C50). */
function holdsRoundedNumber(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsRoundedNumber);
}

const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200);

/** Bytes behind base64 text, without decoding it. */
function decodedBytes(base64: string): number {
  const length = base64.replace(/[\s=]/g, '').length;
  return Math.floor((length * 3) / 4);
}

/** Cuts a text to `max` UTF-16 units, never inside a pair, and says so at its end. */
export function capText(text: string, max: number = MAX_RESULT_CHARS): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
  return `${text.slice(0, end)}\n[cut here: ${end} of ${text.length} characters are kept]`;
}
