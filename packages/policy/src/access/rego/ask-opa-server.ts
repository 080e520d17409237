import { FairBulkhead } from '@forecourt/admission';
import { AccessUndecided, type Causer, holdersOf } from '../access-subject.js';
import { readLimited } from '../hooks/hook-messages.js';
import { parseHttpUrl } from '../conditions/read-operands.js';

const TIMEOUT_MS = 2_000;
const LONGEST_ANSWER = 65_536;
const MAX_CONCURRENT = 64;

/**
 * Evaluates a rule with an OPA server's REST API (`POST /v1/data/<path>`); the result is undefined when the rule is. The
 * function that is returned throws `AccessUndecided` when the server is down, its answer is unusable, or too many calls wait
 * for it.
 */
export function askOpaServer(
  { url: server, headers }: HttpTarget,
  rulePath: string,
): (input: unknown, by: Causer) => Promise<unknown> {
  const bulkhead = new FairBulkhead(MAX_CONCURRENT);
  const url = new URL(
    `v1/data/${rulePath}`,
    server.href.endsWith('/') ? server : `${server.href}/`,
  );
  return async (input, by) => {
    try {
      return await bulkhead.run(holdersOf(by), () => ask(input));
    } catch (cause) {
      throw new AccessUndecided(`the OPA server at ${url.host}: ${(cause as Error).message}`, {
        cause,
      });
    }
  };

  async function ask(input: unknown): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    const text = await readLimited(response, LONGEST_ANSWER);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return (JSON.parse(text) as { result?: unknown }).result;
  }
}

export interface HttpTarget {
  /** Without user name and password: `fetch` refuses them, and error texts must not show them. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Moves the user name and password of an HTTP URL into a header (Basic authentication). Throws `Error` if it is not an
 * HTTP URL.
 */
export function splitCredentials(text: string): HttpTarget {
  const url = parseHttpUrl(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url, headers: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  url.username = '';
  url.password = '';
  const credentials = Buffer.from(pair).toString('base64');
  return { url, headers: { authorization: `Basic ${credentials}` } };
}
