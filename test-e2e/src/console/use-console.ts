import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { useSystem } from '../support/use-system.js';
import { busyOptions, findIds, makeActivity } from './busy-system.js';
import { Receiver } from './receiver.js';
import { requireChromium } from './chromium-config.js';
import { launch, type Screen, WIDE } from './console-browser.js';
import { ConsoleVisit } from './console-visit.js';

/**
 * A busy system, a browser, and one visit of the console for each test. A visit in which a script failed, or
 * markup was run, fails its test. `env`: more variables of the system; `isBusy`: whether anything has
 * happened in it; `address`: where the console is found, if that is not the gateway.
 */
export async function useConsole(
  env: Readonly<Record<string, string>> = {},
  { isBusy = true, address }: { readonly isBusy?: boolean; readonly address?: string } = {},
) {
  const receiver = await Receiver.start();
  const system = useSystem((files) => {
    const options = busyOptions(files, receiver);
    return { ...options, env: { ...options.env, ...env } };
  });
  let browser: Browser;
  let visit: ConsoleVisit | undefined;
  let ids: Awaited<ReturnType<typeof findIds>>;
  let busyAt: number;

  beforeAll(async () => {
    browser = await launch(requireChromium());
    if (!isBusy) return;
    await makeActivity(system);
    ids = await findIds(system);
    busyAt = Date.now();
  });
  afterEach(async () => {
    await visit?.requireSound();
    await visit?.close();
    visit = undefined;
  });
  afterAll(async () => {
    await browser?.close();
    receiver.stop();
  });

  const open = async (screen?: Screen): Promise<ConsoleVisit> => {
    await visit?.close();
    const url = address ?? system.application.url;
    return (visit = await ConsoleVisit.open(browser, url, screen));
  };
  return {
    system,
    /** Of a failed sponsorship and a quarantined one. */
    get ids() {
      return ids;
    },
    /** When that was. Charts of another hour would not show it in their last bar. */
    get busyAt() {
      return busyAt;
    },
    /** Opens the console without a token. */
    open,
    /** Signs in with a token of the system and opens a page. */
    async enter(token: string, path = '/', screen: Screen = WIDE): Promise<ConsoleVisit> {
      const opened = await open(screen);
      await opened.signIn(`${token}-token`);
      if (path !== '/') await opened.go(path);
      await opened.settled();
      return opened;
    },
  };
}
