import { ACCEPTED_CALLS, ACCEPTED_DIFFERENCES } from './accepted-differences.js';
import { type Difference, replayRecording } from './replay-recording.js';
import { startScenario } from './start-scenario.js';

/** Maximum number of different fields that are listed per answer. */
const MAX_LINES = 8;
const say = (text: string) => process.stdout.write(`${text}\n`);
const { devnet, scenario } = await startScenario();
try {
  const { calls, differences } = await replayRecording(scenario);
  report(calls, differences);
} finally {
  await devnet.stop();
}

function report(calls: number, differences: readonly Difference[]): void {
  for (const { calls: names, reason } of ACCEPTED_DIFFERENCES) {
    say(`accepted: ${names.join(', ')}\n  ${reason}`);
  }
  const unexpected = differences.filter(({ name }) => !ACCEPTED_CALLS.has(name));
  for (const { name, lines } of unexpected)
    say([`different: ${name}`, ...lines.slice(0, MAX_LINES)].join('\n  '));
  const known = differences.length - unexpected.length;
  say(
    `${calls} calls: ${calls - differences.length} like the node, ${known} accepted, ${unexpected.length} different`,
  );
  if (unexpected.length > 0) process.exitCode = 1;
}
