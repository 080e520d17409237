import { beforeAll, describe, expect, it } from '@jest/globals';
import { MovePackageService } from '@forecourt/ledger/node-messages';
import { status } from '@grpc/grpc-js';
import { Transaction, UpgradePolicy } from '@iota/iota-sdk/transactions';
import { fromHex, normalizeIotaAddress, toHex } from '@iota/iota-sdk/utils';
import { moduleBytes } from '../engine/publish/module-bytes.test-support.js';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const { listPackageVersions } = MovePackageService.method;

const own = useDevnet();

const idOf = (text: string) => ({ objectId: fromHex(normalizeIotaAddress(text)) });

const refusal = (details: string, code = status.INVALID_ARGUMENT) => ({ code, details });

describe('ListPackageVersions', () => {
  const modules = [Buffer.from(moduleBytes('alpha')).toString('base64')];
  /** The ids of a package and of its upgrades. */
  let ids: string[];
  const versionsOf = async (request: object) => {
    const { versions, nextPageToken } = await own.grpc.unary(listPackageVersions, request);
    const rows = versions.map(({ originalId, storageId, version }) => [
      `0x${toHex(originalId!.objectId)}`,
      `0x${toHex(storageId!.objectId)}`,
      version,
    ]);
    return { rows, nextPageToken };
  };

  beforeAll(async () => {
    const signer = await own.devnet.fundedKey();
    const run = async (fill: (tx: Transaction) => void) => {
      const transaction = new Transaction();
      fill(transaction);
      const { digest } = await own.devnet.client.signAndExecuteTransaction({ signer, transaction });
      const options = { showObjectChanges: true };
      const { objectChanges } = await own.devnet.client.waitForTransaction({ digest, options });
      return objectChanges!;
    };
    const made = await run((tx) => {
      const cap = tx.publish({ modules, dependencies: ['0x1', '0x2'] });
      tx.transferObjects([cap], signer.toIotaAddress());
    });
    const published = made.find((one) => one.type === 'published')!;
    const cap = made.find((one) => one.type === 'created')!.objectId;
    ids = [published.packageId];
    for (let upgrades = 0; upgrades < 2; upgrades += 1) {
      const changes = await run((tx) => {
        const policy = tx.pure.u8(UpgradePolicy.COMPATIBLE);
        const digest = tx.pure.vector('u8', new Array<number>(32).fill(0));
        const ticket = tx.moveCall({
          target: '0x2::package::authorize_upgrade',
          arguments: [tx.object(cap), policy, digest],
        });
        const upgraded = { modules, dependencies: ['0x1', '0x2'], package: ids.at(-1)!, ticket };
        const receipt = tx.upgrade(upgraded);
        tx.moveCall({
          target: '0x2::package::commit_upgrade',
          arguments: [tx.object(cap), receipt],
        });
      });
      ids.push(changes.find((one) => one.type === 'published')!.packageId);
    }
  });

  it('lists all versions under the first id, whichever of them is named', async () => {
    const all = ids.map((id, index) => [ids[0], id, BigInt(index + 1)]);
    for (const id of ids) {
      expect(await versionsOf({ packageId: idOf(id) })).toEqual({ rows: all });
    }
    const system = await versionsOf({ packageId: idOf('0x2') });
    const framework = normalizeIotaAddress('0x2');
    expect(system).toEqual({ rows: [[framework, framework, 1n]] });
  });

  it('continues after the last version of a page', async () => {
    const packageId = idOf(ids[1]!);
    const first = await versionsOf({ packageId, pageSize: 2 });
    expect(first.rows.map(([, id]) => id)).toEqual(ids.slice(0, 2));
    const pageToken = first.nextPageToken;
    const rest = await versionsOf({ packageId, pageSize: 2, pageToken });
    expect(rest.rows.map(([, id]) => id)).toEqual(ids.slice(2));
    expect(rest.nextPageToken).toBeUndefined();
    for (const [request, details] of [
      [{ packageId: idOf('0x2'), pageToken }, 'page_token does not match request parameters'],
      [{ packageId, pageToken: Uint8Array.of(1) }, 'invalid page_token'],
    ] as const) {
      await expect(own.grpc.unary(listPackageVersions, request)).rejects.toMatchObject(
        refusal(details),
      );
    }
  });

  it('refuses an object that is not a package, and one that does not exist', async () => {
    const clock = normalizeIotaAddress('0x6');
    const none = normalizeIotaAddress('0xabcdef');
    const ask = (packageId?: object) => own.grpc.unary(listPackageVersions, { packageId });
    await expect(ask(idOf(clock))).rejects.toMatchObject(
      refusal(`Object ${clock} is not a package`),
    );
    await expect(ask(idOf(none))).rejects.toMatchObject(
      refusal(`Object ${none} not found`, status.NOT_FOUND),
    );
    await expect(ask()).rejects.toMatchObject(refusal('package_id is required'));
  });
});
