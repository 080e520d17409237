import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import { buildCarsProgram, failProgram, readClockProgram } from '../support/raw-transaction.js';
import { dryRunTx, executeBuilt, buildTx, type BuiltTx } from '../support/unpaid-transaction.js';
import { COINS, system } from '../support/systems/small-pool.js';

const user = new Ed25519Keypair();

interface Tried {
  readonly sponsored: { readonly allowed: boolean; readonly rule: string | null };
  readonly execution: { readonly status: string; readonly error: string | null };
  readonly gas: Readonly<Record<string, string>>;
  readonly object_changes: readonly { readonly type: string }[];
  readonly events: readonly { readonly type: string }[];
}

describe('POST /v1/dry_run_tx', () => {
  it('shows the results and cost of the transaction, which its execution confirms', async () => {
    const { application } = system;
    const program = buildCarsProgram(user.toIotaAddress(), 2);
    const answer = await dryRunTx(application, user, program);
    const tried = answer.body.result as unknown as Tried;
    expect(answer.status).toBe(200);
    expect(tried.sponsored).toEqual({ allowed: true, rule: null, reason: null, limits: [] });
    expect(tried.execution).toEqual({ status: 'success', error: null });
    expect(tried.object_changes.filter(({ type }) => type === 'created')).toHaveLength(2);
    const built = await buildTx(application, user, program);
    const { body } = await executeBuilt(application, user, built.body.result as unknown as BuiltTx);
    const { computationCost } = body.effects!.gasUsed;
    expect(tried.gas['computation_cost']).toBe(computationCost);
  });

  it('neither reserves nor submits anything', async () => {
    await system.untilAvailable(COINS);
    const submitted = await system.control.submissions();
    await dryRunTx(system.application, user, readClockProgram());
    await system.untilAvailable(COINS);
    expect(await system.control.submissions()).toEqual(submitted);
  });

  it('shows how a transaction would fail', async () => {
    const answer = await dryRunTx(system.application, user, failProgram(7));
    expect(answer.status).toBe(200);
    const { execution } = answer.body.result as unknown as Tried;
    expect(execution).toEqual({ status: 'failure', error: expect.stringMatching(/MoveAbort/) });
  });
});
