export interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const WORD = /(?:"(?:\\[\s\S]|[^"\\])*"|'[^']*'|[^\s"'\\])+/g;

/**
 * Parses the request of a `curl` command line with the options -s, -X, -H and -d. Throws for any other option, because
 * an example with an ignored option would pass without being tested.
 */
export function parseCurl(command: string, variables: Record<string, string>): CurlRequest {
  const words = (command.replaceAll('\\\n', ' ').match(WORD) ?? []).map((word) =>
    unquote(word, variables),
  );
  const [program, ...rest] = words;
  if (program !== 'curl') throw new Error(`not a curl command: ${command}`);
  const headers: Record<string, string> = {};
  let [url, method, body]: [string, string | undefined, string | undefined] = [
    '',
    undefined,
    undefined,
  ];
  while (rest.length > 0) {
    const word = rest.shift()!;
    if (word === '-s') continue;
    if (word === '-X') method = rest.shift();
    else if (word === '-d') body = rest.shift();
    else if (word === '-H') {
      const [name, ...value] = rest.shift()!.split(':');
      headers[name!] = value.join(':').trim();
    } else if (word.startsWith('-')) throw new Error(`unsupported option ${word}`);
    else url = word;
  }
  return {
    url,
    headers,
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    ...(body === undefined ? {} : { body }),
  };
}

/** Single quotes keep everything, double quotes fill in variables. */
function unquote(word: string, variables: Record<string, string>): string {
  return word.replace(
    /"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'/g,
    (_all, double: string | undefined, single: string | undefined) =>
      single ??
      double!.replace(/\\(["\\$])|\$([A-Z_]+)/g, (_match, escaped?: string, name?: string) => {
        if (escaped !== undefined) return escaped;
        const value = variables[name!];
        if (value === undefined) throw new Error(`unknown variable ${name}`);
        return value;
      }),
  );
}
