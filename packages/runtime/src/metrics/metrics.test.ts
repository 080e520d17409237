import { describe, expect, it } from '@jest/globals';
import { Metrics } from './metrics.js';

/** The lines of one metric, without its help and type. */
async function linesOf(metrics: Metrics, name: string): Promise<string[]> {
  const { text } = await metrics.expose();
  return text.split('\n').filter((line) => line.startsWith(`forecourt_${name}`));
}

describe('Metrics', () => {
  it('shows known series as 0 before their first event, and counts events', async () => {
    const metrics = new Metrics();
    const counter = metrics.counter<{ outcome: 'good' | 'bad' }>({
      name: 'things_total',
      help: 'Things.',
      labels: ['outcome'],
      known: [{ outcome: 'good' }, { outcome: 'bad' }],
    });
    counter.add({ outcome: 'good' });
    counter.add({ outcome: 'good' }, 2);
    expect(await linesOf(metrics, 'things_total')).toEqual([
      'forecourt_things_total{outcome="good"} 3',
      'forecourt_things_total{outcome="bad"} 0',
    ]);
  });

  it('reads figures at each scrape and drops vanished rows', async () => {
    const metrics = new Metrics();
    let states = ['a', 'b'];
    metrics.figures<{ state: string }>({
      name: 'coins',
      help: 'Coins.',
      labels: ['state'],
      read: () => states.map((state) => [{ state }, 1] as const),
    });
    expect(await linesOf(metrics, 'coins')).toHaveLength(2);
    states = ['b'];
    expect(await linesOf(metrics, 'coins')).toEqual(['forecourt_coins{state="b"} 1']);
  });

  it('leaves out a failing figure, shows all others and counts the failure', async () => {
    const metrics = new Metrics();
    metrics.figures({ name: 'gone', help: 'Gone.', read: () => Promise.reject(new Error('down')) });
    metrics.figures({ name: 'there', help: 'There.', kind: 'counter', read: () => [[{}, 7]] });
    expect(await linesOf(metrics, 'gone')).toEqual([]);
    expect(await linesOf(metrics, 'there')).toEqual(['forecourt_there 7']);
    expect(await linesOf(metrics, 'unread_figures_total')).toEqual([
      'forecourt_unread_figures_total{metric="forecourt_gone"} 2',
    ]);
  });

  it('shows no value for an unlabelled figure without one', async () => {
    const metrics = new Metrics();
    metrics.figures({ name: 'later', help: 'Later.', read: () => [] });
    expect(await linesOf(metrics, 'later')).toEqual([]);
    expect(await linesOf(metrics, 'unread_figures_total')).toEqual([]);
  });
});
