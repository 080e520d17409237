/** The program that `npm test` has found. */
export function requireChromium(): string {
  const path = process.env['CHROMIUM'];
  if (!path) throw new Error('CHROMIUM does not name a Chromium: run this file with npm test');
  return path;
}
