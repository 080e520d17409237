import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { buildProbe } from '../transactions/build-transactions.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { faulty, type GrpcQuestions, type Use } from './grpc-questions.js';
import { isAboutInputs } from './examine-simulation.js';
import { type Finding, fine, missing } from './questions.js';

const SUBMISSION: Use = {
  subject: 'submission',
  serves: 'Transactions can be sponsored',
  lost: 'Nothing can be sponsored',
  isEssential: true,
};
const ABOUT_FORM = /invalid (signature|transaction bcs)|deserializ|signature scheme|signatures\[/i;
const ABOUT_SIGNATURE = /invalid user signature|required signature|signature is not valid/i;

/**
 * Submits a transaction that no ledger executes, signed with a new key (see `buildProbe`): a node that
 * refuses it for its gas has read bytes and signatures as the services send them.
 */
export async function examineSubmission(questions: GrpcQuestions): Promise<Finding> {
  const key = new Ed25519Keypair();
  const bytes = await buildProbe(key.toIotaAddress());
  const { signature } = await key.signTransaction(bytes);
  const params = [Buffer.from(bytes).toString('base64'), [signature], { showEffects: true }];
  const { subject, serves, lost } = SUBMISSION;
  try {
    await questions.ask('iota_executeTransactionBlock', params);
  } catch (error) {
    const text = (error as Error).message;
    if (isRefusal(error, ABOUT_FORM) || isRefusal(error, ABOUT_SIGNATURE)) {
      return missing(
        subject,
        text,
        `${lost}: the node does not read transactions or signatures in the form in which they are sent. Upgrade the older of node and release, or use the node over JSON-RPC`,
      );
    }
    if (isAboutInputs(error)) {
      return fine(subject, 'a transaction that cannot land is refused for its gas', serves);
    }
    return faulty(SUBMISSION, error);
  }
  return missing(
    subject,
    'a transaction that no ledger executes was accepted',
    'This is not a node of an IOTA ledger, or its answers are false: do not use it',
  );
}

function isRefusal(error: unknown, about: RegExp): boolean {
  return error instanceof NodeRefusal && about.test(error.message);
}
