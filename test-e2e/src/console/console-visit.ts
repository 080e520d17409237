import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { WIDE } from './console-browser.js';

/** Rules of accessibility that are checked: WCAG 2.2 at level AA, and axe's best practices. */
const AXE: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/** How long a visit waits for an element or an answer: machines can be slow. */
const WAIT_MS = 120_000;

/** The console in a browser, with everything in it that went wrong. */
export class ConsoleVisit {
  readonly problems: string[] = [];
  readonly outside: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly url: string,
  ) {
    page.on('pageerror', (error) => this.problems.push(String(error)));
    page.on('console', (message) => {
      // Chromium writes a line for each answer with an error status: refusals are part of the tests.
      const isAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isAnswer) this.problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('blob:'))
        this.outside.push(request.url());
    });
  }

  static async open(browser: Browser, url: string, screen = WIDE): Promise<ConsoleVisit> {
    const { width, height, theme = 'light', hasTouch = false } = screen;
    const context = await browser.newContext({
      viewport: { width, height },
      hasTouch,
      colorScheme: theme,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    context.setDefaultTimeout(WAIT_MS);
    const visit = new ConsoleVisit(await context.newPage(), context, url);
    await visit.go('/');
    return visit;
  }

  /** Opens a page of the console by its path. */
  async go(path: string): Promise<void> {
    await this.page.goto(`${this.url}/console${path}`);
  }

  async signIn(token: string): Promise<void> {
    await this.page.getByLabel('Token').fill(token);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    // The form has a heading too, and a page that is left before the gateway knows the token begins no
    // session.
    await this.page.locator('input[type=password]').waitFor({ state: 'detached' });
    await this.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  }

  /** Waits until the page shows everything that it has asked for. */
  async settled(): Promise<void> {
    await this.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    const loading = this.page.getByRole('status', { name: 'Loading' });
    // Those that replace one another too: a page first loads its code, then its data.
    while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
  }

  /** The whole text of the page. */
  text(): Promise<string> {
    return this.page.locator('body').innerText();
  }

  /** Violations of the rules of accessibility, one line for each element. */
  async findViolations(): Promise<string[]> {
    const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
    // The policy of the page permits no script of ours: the debugger's evaluation is not subject to it.
    await this.page.evaluate(await readFile(file, 'utf8'));
    const { violations } = await this.page.evaluate<AxeResults>(`axe.run(${JSON.stringify(AXE)})`);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`),
    );
  }

  /**
   * Throws if a script failed, the policy was violated, something was loaded from elsewhere, or markup was
   * run.
   */
  async requireSound(): Promise<void> {
    assert.deepEqual([this.problems, this.outside], [[], []]);
    assert.equal(await this.page.evaluate('window.injected'), undefined);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
