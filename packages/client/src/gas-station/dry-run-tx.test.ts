import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GasStation } from '../index.js';
import { StandInGasStation } from './stand-in-gas-station.test-support.js';

let server: StandInGasStation;
beforeAll(async () => {
  server = await StandInGasStation.start();
});
afterAll(() => server.stop());

describe('the limits of a dry run', () => {
  it('are exact amounts, and a hook leaves the decision open', async () => {
    const limit = {
      counts: 'gas',
      used: '9007199254740993',
      amount: '1',
      limit: '2',
      remaining: '-9007199254740992',
      window_secs: 60,
    };
    const gas = {
      computation_cost: '1',
      storage_cost: '2',
      storage_rebate: '3',
      net_cost: '0',
      suggested_budget: 5,
    };
    server.respond = () => ({
      body: {
        result: {
          sponsored: { allowed: null, rule: null, reason: 'a hook decides', limits: [limit] },
          execution: { status: 'success', error: null },
          gas,
          balance_changes: [],
          object_changes: [],
          events: [],
        },
      },
    });
    const station = new GasStation({ url: server.url });
    const { sponsored } = await station.dryRun({ sender: '0x1', kind: 'AQ==' });
    expect(sponsored).toEqual({
      allowed: null,
      rule: null,
      reason: 'a hook decides',
      limits: [
        {
          counts: 'gas',
          used: 9_007_199_254_740_993n,
          amount: 1n,
          limit: 2n,
          remaining: -9_007_199_254_740_992n,
          windowSecs: 60,
        },
      ],
    });
  });
});
