import { describe, expect, it } from '@jest/globals';
import { COIN, TestChain } from '../test-chain.test-support.js';
import { moduleBytes } from './module-bytes.test-support.js';
import { readModuleName } from './read-module-name.js';

const published = (...modules: Uint8Array[]) => ({
  modules: modules.map((bytes) => [...bytes]),
  dependencies: ['0x1', '0x2'],
});

describe('publishing', () => {
  it('creates an immutable package and its upgrade capability', async () => {
    const chain = new TestChain();
    const author = await chain.account(COIN);
    const { effects, objectChanges } = await chain.run(author, (tx) => {
      const cap = tx.publish(published(moduleBytes('beta'), moduleBytes('alpha')));
      tx.transferObjects([cap], author.address);
    });
    expect(effects.status).toEqual({ status: 'success' });
    const change = objectChanges.find(({ type }) => type === 'published');
    expect(change).toMatchObject({ modules: ['alpha', 'beta'], version: 1 });
    const packageId = (change as { packageId: string }).packageId;
    expect(chain.object(packageId)).toMatchObject({ type: 'package', owner: 'Immutable' });
    expect(chain.engine.getModuleNames(packageId)).toEqual(['alpha', 'beta']);
    const cap = objectChanges.find((one) => one.type === 'created' && 'objectId' in one);
    expect(chain.object((cap as { objectId: string }).objectId)).toMatchObject({
      type: '0x2::package::UpgradeCap',
      owner: { AddressOwner: author.address },
      fields: { package: packageId, version: '1', policy: 0 },
    });
  });

  it('does not run functions of published packages', async () => {
    const chain = new TestChain();
    const author = await chain.account(COIN, COIN);
    const { objectChanges } = await chain.run(author, (tx) => {
      tx.transferObjects([tx.publish(published(moduleBytes('alpha')))], author.address);
    });
    const { packageId } = objectChanges.find((one) => one.type === 'published')!;
    const { effects } = await chain.run(author, (tx) => {
      tx.moveCall({ target: `${packageId}::alpha::run` });
    });
    expect(effects.status).toMatchObject({
      status: 'failure',
      error: 'VMVerificationOrDeserializationError in command 0',
      hint: expect.stringMatching(/^devnet executes no Move code .*0x2::clock.*LEDGER_URL=/),
    });
  });

  it.each([
    ['no module at all', new Uint8Array([1, 2, 3])],
    ['a truncated module', moduleBytes('alpha').subarray(0, 20)],
  ])('fails for %s, and charges gas', async (_name, bytes) => {
    const chain = new TestChain();
    const author = await chain.account(COIN);
    const { effects } = await chain.run(author, (tx) => {
      tx.transferObjects([tx.publish(published(bytes))], author.address);
    });
    expect(effects.status).toMatchObject({
      status: 'failure',
      error: expect.stringContaining('VMVerificationOrDeserializationError'),
    });
    expect(effects.gasUsed.computationCost).toBeGreaterThan(0n);
  });
});

describe('readModuleName', () => {
  it('reads the name from the module’s own handle', () => {
    expect(readModuleName(moduleBytes('some_module'))).toBe('some_module');
  });

  it('throws for damaged bytes', () => {
    const bytes = moduleBytes('alpha');
    for (let length = 0; length < bytes.length; length++) {
      expect(() => readModuleName(bytes.subarray(0, length))).toThrow(TypeError);
    }
  });
});
