import type { AccessSubject } from '../access-subject.js';
import type { Hook } from './hook.js';

/**
 * The body of a call to a hook: `executeTxRequest` as IOTA's gas station sends it, the name of the caller's token, the
 * reservation and the decoded transaction, whose amounts are decimal strings.
 */
export function writeHookRequest(hook: Hook, subject: AccessSubject): string {
  const { transaction, reservation, reservationId, txBytes, userSig, caller } = subject;
  const { digest, sender, gasOwner, gasBudget, gasPrice, moveCalls, commandKinds } = transaction;
  const { ownedInputs, sharedInputs, receivedInputs } = transaction;
  const headers = Object.fromEntries(
    hook.forwardHeaders.flatMap((name) => {
      const value = subject.header(name);
      return value === undefined ? [] : [[name, [value]]];
    }),
  );
  return JSON.stringify({
    executeTxRequest: { payload: { reservationId, txBytes, userSig }, headers },
    token: caller,
    reservation,
    transaction: {
      digest,
      sender,
      gasOwner,
      gasBudget: String(gasBudget),
      gasPrice: String(gasPrice),
      moveCalls,
      commandKinds,
      ownedInputs,
      sharedInputs,
      receivedInputs,
    },
  });
}
