export type Dialect = 'legacy' | 'iota';

export interface UpstreamAddress {
  /** Null: the node is asked which it speaks. */
  readonly dialect: Dialect | null;
  /** `http:` or `https:`. */
  readonly url: string;
}

const ADDRESS = /^(?:(?<dialect>legacy|iota)\+)?(?<url>https?:\/\/.+)$/;

/** Reads `legacy+http://…,iota+https://…,http://…`. Throws `Error` saying what it must be. */
export function parseUpstreams(text: string): readonly UpstreamAddress[] {
  return text
    .split(/[,\s]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const found = ADDRESS.exec(part)?.groups;
      if (!found || !URL.canParse(found['url']!)) {
        throw new Error('must be a list of URLs, each with legacy+ or iota+ before it or nothing');
      }
      return { dialect: (found['dialect'] as Dialect | undefined) ?? null, url: found['url']! };
    });
}
