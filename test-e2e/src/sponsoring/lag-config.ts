/** The shortest lag of a read in these tests. */
export const MIN_LAG_MS = 500;
const USUAL_MAX_LAG_MS = 1_500;
/** The longest lag that devnet takes. */
const LONGEST_MS = 600_000;

/**
 * The longest lag of a read, from `FORECOURT_LAG_MS`. Throws if it is not a number of milliseconds within the
 * limits.
 */
export function readMaxLagMs(environment: NodeJS.ProcessEnv = process.env): number {
  const { FORECOURT_LAG_MS: text = '' } = environment;
  if (text === '') return USUAL_MAX_LAG_MS;
  const lagMs = Number(text);
  if (/^\d{1,6}$/.test(text) && lagMs >= MIN_LAG_MS && lagMs <= LONGEST_MS) return lagMs;
  throw new Error(
    `FORECOURT_LAG_MS must be milliseconds, ${MIN_LAG_MS} to ${LONGEST_MS}, not ${text}`,
  );
}
