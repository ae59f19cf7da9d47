/** Keeps equal texts once: a hundred thousand rows have few sources, tools and names between them. */
export class Sharing {
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();

  share = <T extends string>(text: T): T => {
    const known = this.#texts.get(text);
    if (known !== undefined) return known as T;
    if (this.#texts.size < MOST) this.#texts.set(text, text);
    return text;
  };

  shareAll = (texts: readonly string[]): readonly string[] => {
    const name = texts.join('\n');
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const shared = texts.map(this.share);
    if (this.#lists.size < MOST) this.#lists.set(name, shared);
    return shared;
  };
}

/** Beyond this many different ones, sharing costs more than it saves. */
const MOST = 10_000;
