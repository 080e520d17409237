/** The ranges (`[1d:10m]`) and waits (`for: 1h`) of rules. */
const DURATIONS = /(?<=\[|:)\d+[smhd](?=[\]:])|(?<=^ *for: )\d+[smhd]$/gm;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * Prometheus rules of one group with shorter times, so that alerts that take hours can be observed: every
 * range and wait is divided by `factor`, and is at least a second. The other groups stay as they are.
 */
export function shortenRuleTimes(rules: string, group: string, factor: number): string {
  const begin = rules.indexOf(`- name: ${group}\n`);
  if (begin < 0) throw new Error(`there is no group ${group}`);
  const next = rules.indexOf('\n  - name: ', begin);
  const end = next < 0 ? rules.length : next;
  const shortened = rules.slice(begin, end).replace(DURATIONS, (duration) => {
    const seconds = Number(duration.slice(0, -1)) * SECONDS[duration.at(-1)!]!;
    return `${Math.max(1, Math.round(seconds / factor))}s`;
  });
  return rules.slice(0, begin) + shortened + rules.slice(end);
}
