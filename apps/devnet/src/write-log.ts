/** One JSON line on standard output: `{"time":"…","level":"…","event":"…",…}`. */
export function writeLog(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const line = { time: new Date().toISOString(), level, service: 'devnet', event, ...fields };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
