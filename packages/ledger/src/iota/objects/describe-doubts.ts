import { commandKinds, type DecodedTransaction } from '../../decoded-transaction.js';
import type { Judgements } from './look-up.js';

const KNOWN_COMMANDS: ReadonlySet<string> = new Set(commandKinds);

/**
 * Reasons why a look at the objects cannot prove that validators accept the transaction; empty: it
 * does.
 */
export function describeDoubts(
  transaction: DecodedTransaction,
  judgements: Judgements,
): readonly string[] {
  const commands = new Set<string>(transaction.commandKinds);
  const doubts: string[] = [];
  if (commands.has('Publish')) doubts.push('it publishes a package');
  if (commands.has('Upgrade')) doubts.push('it upgrades a package');
  if (transaction.receivedInputs.length > 0) doubts.push('it receives objects');
  for (const command of commands) {
    if (!KNOWN_COMMANDS.has(command)) doubts.push(`command ${command} is unknown`);
  }
  const unclear = [...judgements].filter(([, { kind }]) => kind === 'unclear');
  if (unclear.length > 0) {
    doubts.push(`the node's answer about ${unclear[0]![0].objectId} does not tell what it is`);
  }
  return doubts;
}
