import { describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { programs } from './client-readme.js';
import { lineOf } from '../support/documented-program.js';
import { system } from '../support/systems/events-system.js';
import { transpile } from '../support/transpile.js';
import { usePrograms } from '../support/use-programs.js';

describe("the programs in the client's README", () => {
  const start = usePrograms(system);

  it('are all extracted', () => expect(programs).toHaveLength(2));

  it('sponsor a transaction', async () => {
    const [, digest] = await lineOf(start(transpile(programs[0]!)).stdout!, /^success (\w+)$/);
    expect(await system.control.submissionsOf(digest!)).toBe(1);
  });

  it('show a past and a live event', async () => {
    await sponsor(system.application);
    let isShown = false;
    const liveLine = lineOf(start(transpile(programs[1]!)).stdout!, /^live .*checkpoint: \d+/).then(
      () => {
        isShown = true;
      },
    );
    await Promise.all([
      liveLine,
      // Each transaction has a separate checkpoint; the subscription shows the events that follow it.
      system.until(async () => {
        await sponsor(system.application);
        return isShown;
      }),
    ]);
  });
});
