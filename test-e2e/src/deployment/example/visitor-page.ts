import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';

/** The facts that the page shows of a transaction or an event, by name. */
export type ShownFacts = Readonly<Record<string, string>>;

/** The page of the example in a browser, from the visitor's side. */
export class VisitorPage {
  /** All texts that the browser received. */
  readonly #received: Promise<string>[] = [];
  readonly #sent: string[] = [];
  readonly #errors: Error[] = [];

  private constructor(private readonly page: Page) {
    page.on('pageerror', (error) => this.#errors.push(error));
    page.on('request', (request) => {
      this.#sent.push(`${request.url()} ${JSON.stringify(request.headers())}`);
    });
    page.on('response', (response) => this.#received.push(response.text().catch(() => '')));
    page.on('websocket', (socket) => this.#sent.push(socket.url()));
  }

  static async open(browser: Browser, url: string): Promise<VisitorPage> {
    const visit = new VisitorPage(await browser.newPage({ viewport: { width: 760, height: 440 } }));
    await visit.page.goto(url);
    return visit;
  }

  /** The visitor's address. */
  async address(): Promise<string> {
    return (await this.page.locator('#address').textContent()) ?? '';
  }

  /** Presses the button as soon as it is enabled. */
  pressButton(): Promise<void> {
    return this.page.getByRole('button', { name: 'Build a car' }).click();
  }

  /** Waits until a list has this many entries, and reads the newest. */
  async newest(list: 'transactions' | 'events', entries: number): Promise<ShownFacts> {
    const items = this.page.locator(`#${list} li`);
    await items.nth(entries - 1).waitFor();
    assert.equal(await items.count(), entries);
    const lines = await items.first().locator('div').all();
    const facts = lines.map(async (line) => {
      const value = (await line.locator('code').textContent()) ?? '';
      const name = ((await line.textContent()) ?? '').slice(0, -value.length).trim();
      return [name, value] as const;
    });
    return Object.fromEntries(await Promise.all(facts));
  }

  /** Waits for an error on the page and returns its text. */
  async problem(): Promise<string> {
    const alert = this.page.getByRole('alert');
    await alert.waitFor();
    return (await alert.textContent()) ?? '';
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path });
  }

  /** Throws if a script of the page failed, or if the browser sent or received the text. */
  async requireSound(secret: string): Promise<void> {
    assert.deepEqual(this.#errors, []);
    const received = await Promise.all(this.#received);
    assert.ok(
      received.some((text) => text.includes('follow')),
      'no script has been received',
    );
    const leaks = [...received, ...this.#sent].some((text) => text.includes(secret));
    assert.ok(!leaks, 'the token has reached the browser');
  }
}
