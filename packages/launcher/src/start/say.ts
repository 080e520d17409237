/** Writes one line for people, with the time since the command was given, to standard error. */
export function createSay(startedAt: number): (text: string) => void {
  return (text) => {
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1).padStart(6);
    process.stderr.write(`${seconds}s  ${text}\n`);
  };
}
