/** Of all commands of a page, in characters. */
const MAX_LENGTH = 2_000_000;

/**
 * Whether a page of sponsorships must end although it has less than its limit: one of them may have 200 kB of
 * commands.
 */
export function isLargePage(
  sponsorships: readonly { readonly commands: readonly string[] }[],
): boolean {
  let length = 0;
  for (const { commands } of sponsorships) {
    for (const command of commands) length += command.length;
  }
  return length > MAX_LENGTH;
}
