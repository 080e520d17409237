import { afterAll, beforeAll } from '@jest/globals';

const START_MS = 180_000;
const STOP_MS = 60_000;

/** Stops of what has been started, in order. Jest runs `afterAll` in the order of `beforeAll`. */
const stops: (() => Promise<void> | void)[] = [];

/**
 * Something that runs while the tests of a file or block do: started before the first of them and stopped after the last,
 * what was started last first. The returned object stands for what `start` resolves to; using it earlier throws.
 */
export function useStarted<T extends object>(
  start: () => Promise<T>,
  stop: (started: T) => Promise<void> | void = () => undefined,
): T {
  let started: T | undefined;
  beforeAll(async () => {
    stops.push(() => started && stop(started));
    started = await start();
  }, START_MS);
  afterAll(() => stops.pop()?.(), STOP_MS);
  return new Proxy({} as T, {
    get(_, name) {
      if (!started) throw new Error(`${String(name)} is used before the tests have started`);
      const value: unknown = Reflect.get(started, name);
      return typeof value === 'function' ? (value.bind(started) as unknown) : value;
    },
  });
}
