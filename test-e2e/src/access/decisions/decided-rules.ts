import type { IotaClient, IotaTransactionBlockResponse } from '@iota/iota-sdk/client';

const full = (digits: string) => `0x${digits.padStart(64, '0')}`;

/** The last one is not allowed to receive. */
export const RECIPIENTS = [full('b0b'), full('a11ce'), full('bad')];
const ALLOWED = RECIPIENTS.slice(0, 2);
const MOST = 1_000n;
const MOST_IN_ALL = 2_500n;
const MODELS = ['Mini', 'Maxi'];
const TOKEN = `${full('dec0')}::token::TOKEN`;
const CAR = `${full('dec0')}::garage::Car`;
const IOTA = '0x2::iota::IOTA';

/** Their names are those of the oracles below. */
export const RULES = `access-controller:
  access-policy: deny-all
  rules:
    - name: minted
      move-call-function: ['0xdec0::token::mint', '0xdec0::garage::raise']
      argument:
        - { function: '0xdec0::token::mint', index: 0, value: '<=${MOST}' }
        - { function: '0xdec0::token::mint', index: 1, value: ['${ALLOWED.join("', '")}'] }
      action: allow
    - name: built
      expression: 'onlyCalls(tx, ["0xdec0::garage::build_car", "0x1::string::append"])
        && tx.calls.all(c, c.name != "build_car" || c.args[0].value in ["${MODELS.join('", "')}"])
        && tx.calls.all(c, c.args.all(a, a.kind == "pure"))'
      action: allow
    - name: split
      move-call-function: ['0x2::pay::split_vec', '0x1::vector::push_back']
      type-argument: ['0x2::iota::IOTA', u64]
      argument: { function: '0x2::pay::split_vec', index: 1, value: '<=${MOST}' }
      action: allow
    - name: balanced
      move-call-function: ['0x2::pay::*', '0xdec0::token::*', '0xdec0::garage::*', '0x1::vector::push_back']
      balance-changes:
        - { owner: '${ALLOWED[0]}', coin-type: '${TOKEN}', receives: '<=${MOST_IN_ALL}' }
        - { only: [sender, '${ALLOWED[0]}'] }
      action: allow
`;

/** The part of a transaction's effects that the rule forbids, as the ledger tells them; null: none. */
export async function findBreach(
  rule: string,
  executed: IotaTransactionBlockResponse,
  client: IotaClient,
  sender: string,
): Promise<string | null> {
  const { objectChanges = [], balanceChanges = [] } = executed;
  const created = (objectChanges ?? []).flatMap((change) =>
    change.type === 'created' ? [change] : [],
  );
  const recipients = created.map(({ owner }) =>
    typeof owner === 'object' && 'AddressOwner' in owner ? owner.AddressOwner : 'nobody',
  );
  const objects = await client.multiGetObjects({
    ids: created.map(({ objectId }) => objectId).slice(0, 50),
    options: { showContent: true },
  });
  const contents = objects.flatMap(({ data }) =>
    data?.content?.dataType === 'moveObject' ? [data.content] : [],
  );
  const values = contents.map(({ type, fields }) => ({ type, ...(fields as Fields) }));
  switch (rule) {
    case 'minted': {
      const wrong = recipients.find((one) => !ALLOWED.includes(one));
      if (wrong !== undefined) return `${wrong} has received`;
      const large = values.find(({ balance = '0' }) => BigInt(balance) > MOST);
      return large ? `a coin of ${large.balance}` : null;
    }
    case 'built': {
      const other = values.find(({ type, model = '' }) => type !== CAR || !MODELS.includes(model));
      return other ? `${other.type} ${other.model}` : null;
    }
    case 'split': {
      const large = values.find(({ balance = '0' }) => BigInt(balance) > MOST);
      if (large) return `a coin of ${large.balance}`;
      const other = values.find(({ type }) => type !== `0x2::coin::Coin<${IOTA}>`);
      return other ? other.type : null;
    }
    case 'balanced':
      for (const { owner, coinType, amount } of balanceChanges ?? []) {
        const address = typeof owner === 'object' && 'AddressOwner' in owner && owner.AddressOwner;
        if (address !== sender && address !== ALLOWED[0])
          return `${String(address)} has ${amount} more`;
        const isToken = coinType.endsWith('::token::TOKEN') && address === ALLOWED[0];
        if (isToken && BigInt(amount) > MOST_IN_ALL) return `it has ${amount} more`;
      }
      return null;
    default:
      return `no oracle knows the rule ${rule}`;
  }
}

interface Fields {
  readonly balance?: string;
  readonly model?: string;
}
