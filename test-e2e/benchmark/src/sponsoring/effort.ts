/** The extent of a run, and the receiver of its progress messages. */
export interface Effort {
  /** Fewer and shorter rounds: for a quick check, not for results. */
  readonly quick: boolean;
  /** Requests of the part about memory. */
  readonly requests: number;
  readonly say: (text: string) => void;
}

const RISE = 1.05;
const MAX_RUNS = 12;

/**
 * Repeats a load until its rate stops rising: the code of a new process is still being compiled,
 * and the benchmark measures a warm one. Returns the last rate.
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
