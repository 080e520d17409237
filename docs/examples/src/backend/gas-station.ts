export interface GasStationAddress {
  readonly gasStationUrl: string;
  readonly token: string;
}

export interface GasStationAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Headers that `@forecourt/client` reads in the page. */
const PASSED_ON = ['content-type', 'error-code', 'retry-after'];
/** Longer than a gas station waits for the ledger. */
const TIMEOUT_MS = 45_000;

/**
 * Posts to the gas station with the token that no visitor sees. A lost connection is an answer with status
 * 502.
 */
export async function callGasStation(
  { gasStationUrl, token }: GasStationAddress,
  path: string,
  body: object,
): Promise<GasStationAnswer> {
  try {
    const response = await fetch(`${gasStationUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const headers = [...response.headers].filter(([name]) => PASSED_ON.includes(name));
    const { status } = response;
    return { status, headers: Object.fromEntries(headers), text: await response.text() };
  } catch {
    const text = JSON.stringify({ error: 'The gas station cannot be reached or does not respond' });
    return { status: 502, headers: { 'content-type': 'application/json' }, text };
  }
}
