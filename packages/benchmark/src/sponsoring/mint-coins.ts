import type { Reference } from '../load/transaction-template.js';

/** Has devnet make coins for somebody. */
export async function mintCoins(
  controlUrl: string,
  owner: string,
  amount: number,
  count: number,
): Promise<Reference[]> {
  const response = await fetch(`${controlUrl}/mint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ owner, amount, count }),
  });
  if (!response.ok) throw new Error(`mint: ${await response.text()}`);
  return ((await response.json()) as { coins: Reference[] }).coins;
}
