import { GasStation, LedgerEvents } from '@forecourt/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { buildCar } from './build-car.js';
import { followCars, newestEvent } from './follow-cars.js';
import { element, showIn, showProblem } from './show.js';

/** A new key, which is gone with the page. An application takes the user's wallet. */
const visitor = new Ed25519Keypair();
const address = visitor.toIotaAddress();
/** The backend, which has the token. Events need none: they come from the gas station itself. */
const station = new GasStation({ url: '/gas' });
const events = new LedgerEvents({ url: import.meta.env.VITE_EVENTS_URL as string });

const button = element('build') as HTMLButtonElement;

async function build(): Promise<void> {
  button.disabled = true;
  showProblem(null);
  try {
    const { digest, paidBy, cost } = await buildCar(station, visitor, 'Roadster');
    showIn('transactions', { digest, 'gas paid by': paidBy, cost: `${cost} IOTA` });
  } catch (error) {
    showProblem(error);
  } finally {
    button.disabled = false;
  }
}

async function follow(): Promise<void> {
  const from = await newestEvent(events);
  button.disabled = false;
  for await (const { car, digest } of followCars(events, address, from)) {
    showIn('events', { 'car built': car, 'by transaction': digest });
  }
}

element('address').textContent = address;
button.addEventListener('click', () => void build());
follow().catch(showProblem);
