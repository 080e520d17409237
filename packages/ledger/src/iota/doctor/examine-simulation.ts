import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { NodeRefusal } from '../transport/node-refusal.js';
import { faulty, type Use } from './grpc-questions.js';
import { type Finding, fine, type Questioner } from './questions.js';

const SIMULATION: Use = {
  subject: 'dry run',
  serves: 'Doubtful transactions are dry-run before they are claimed; callers may ask for dry runs',
  lost: 'Doubtful transactions are refused, and so is every dry run',
  isEssential: true,
};
/** About a transaction that the node has read. */
const ABOUT_INPUTS =
  /transaction inputs?|gas (price|budget|object)|referenced object|expired|insufficient/i;

/** The dry run of a transaction without coins: it succeeds, or is refused for its gas. */
export async function examineSimulation(questions: Questioner): Promise<Finding> {
  const tx = new Transaction();
  tx.makeMoveVec({ type: 'u8', elements: [] });
  tx.setSender(new Ed25519Keypair().toIotaAddress());
  tx.setGasPayment([]);
  tx.setGasPrice(1_000);
  tx.setGasBudget(10_000_000);
  const bytes = Buffer.from(await tx.build()).toString('base64');
  try {
    await questions.ask('iota_dryRunTransactionBlock', [bytes]);
    return fine(SIMULATION.subject, 'answered', SIMULATION.serves);
  } catch (error) {
    if (isAboutInputs(error)) {
      return fine(SIMULATION.subject, 'answered: refused for its gas', SIMULATION.serves);
    }
    return faulty(SIMULATION, error);
  }
}

/** Whether a node has read a transaction, and refuses it for its gas or its inputs. */
export function isAboutInputs(error: unknown): boolean {
  return error instanceof NodeRefusal && ABOUT_INPUTS.test(error.message);
}
