"""Has IOTA's Python SDK sponsor a transaction."""

import asyncio
import json
import os

from iota_sdk import Ed25519PrivateKey, TransactionBuilder, TransactionSigner


async def main():
    env = os.environ
    user = Ed25519PrivateKey(bytes([8] * 32))
    headers = {"authorization": ["Bearer " + env["TOKEN"]]}
    builder = (
        TransactionBuilder(user.public_key().derive_address())
        .gas_budget(10_000_000)
        .gas_price(int(env["GAS_PRICE"]))
        .gas_station_sponsor(env["GAS_STATION"], headers=headers)
    )
    signer = TransactionSigner.from_ed25519(user)
    effects = await builder.execute_with_gas_station(signer)
    print(json.loads(effects)["transactionDigest"])


asyncio.run(main())
