//! Reads objects, executes a transaction and follows checkpoints with the client of IOTA's Rust SDK.

use std::{env, error::Error};

use futures::StreamExt;
use iota_sdk_crypto::ed25519::Ed25519PrivateKey;
use iota_sdk_grpc_client::{
    CheckpointStreamItem, GrpcClient, read_mask_fields::CheckpointResponseField,
};
use iota_sdk_grpc_types::v1::{
    filter::{AddressFilter, TransactionFilter},
    types::Address,
};
use iota_sdk_transaction_builder::WaitForTransaction;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let client = GrpcClient::new(env::var("NODE_URL")?)?;
    let user = Ed25519PrivateKey::new([7; 32]);
    let address = user.public_key().derive_address();
    let info = client.service_info().await?.into_inner();
    let next = info.executed_checkpoint_height.ok_or("no checkpoint")? + 1;

    let owned = client.owned_objects(address).await?.into_inner();
    let first = owned.items.first().ok_or("no coins")?;
    let reference = first.object_reference()?;
    let read = client.objects([reference.object_id]).await?.into_inner();
    let object = read.into_iter().next().ok_or("no object")??;
    if object.object()? != first.object()? || object.object_reference()? != reference {
        return Err("the two answers differ".into());
    }

    let mut builder = client.transaction_builder(address);
    builder.send_iota(address, 1_000u64);
    let effects = builder
        .execute(&user, WaitForTransaction::Finalized)
        .await?;
    let digest = effects.as_v1().transaction_digest;

    let sender = AddressFilter::default()
        .with_address(Address::default().with_address(Vec::from(address)));
    let mut stream = client
        .checkpoints_stream_filtered()
        .start_sequence_number(next)
        .transactions_filter(TransactionFilter::default().with_sender(sender))
        .read_mask(CheckpointResponseField::ALL)
        .await?;
    while let Some(item) = stream.body_mut().next().await {
        let CheckpointStreamItem::Checkpoint(checkpoint) = item? else {
            continue;
        };
        let data = checkpoint.checkpoint_data()?;
        let found = data.transactions.iter().find(|one| {
            one.transaction.transaction.digest() == digest && one.effects == effects
        });
        if let Some(transaction) = found {
            if transaction.output_objects.is_empty() {
                return Err("no written objects".into());
            }
            println!("{digest}");
            return Ok(());
        }
    }
    Err("the stream ended".into())
}
