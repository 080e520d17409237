const RISE = 1.05;
const MAX_RUNS = 12;

/**
 * Repeats a load until its rate has stopped rising: a service that has just started is still being compiled, and what is
 * measured is one that has been up for a while. Answers the last rate.
 */
export async function warmUp(
  run: () => Promise<{ readonly perSecond: number }>,
  say: (text: string) => void,
): Promise<number> {
  let best = 0;
  for (let runs = 1; ; runs++) {
    const { perSecond } = await run();
    say(`  warming up: ${Math.round(perSecond)} /s`);
    if (perSecond < best * RISE || runs === MAX_RUNS) return perSecond;
    best = perSecond;
  }
}
