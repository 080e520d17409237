export type Dialect = 'legacy' | 'iota';

export interface UpstreamAddress {
  /** Null: detected by a query to the node. */
  readonly dialect: Dialect | null;
  /** `http:` or `https:`. */
  readonly url: string;
}

const ADDRESS = /^(?:(?<dialect>legacy|iota)\+)?(?<url>https?:\/\/.+)$/;

/** Parses `legacy+http://…,iota+https://…,http://…`. Throws `Error` with the required format. */
export function parseUpstreams(text: string): readonly UpstreamAddress[] {
  return text
    .split(/[,\s]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const found = ADDRESS.exec(part)?.groups;
      if (!found || !URL.canParse(found['url']!)) {
        throw new Error(
          'must be a list of http(s) URLs, each optionally prefixed with legacy+ or iota+',
        );
      }
      return { dialect: (found['dialect'] as Dialect | undefined) ?? null, url: found['url']! };
    });
}
