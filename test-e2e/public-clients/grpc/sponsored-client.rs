//! Has a gas station sponsor a transaction, with a node that is asked over gRPC.

use std::{env, error::Error};

use iota_sdk_crypto::ed25519::Ed25519PrivateKey;
use iota_sdk_grpc_client::GrpcClient;
use iota_sdk_transaction_builder::{GasStation, HeaderValue, header::AUTHORIZATION};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let token = format!("Bearer {}", env::var("TOKEN")?);
    let station = GasStation::builder(env::var("GAS_STATION")?.parse()?)
        .header(AUTHORIZATION, HeaderValue::from_str(&token)?)
        .build();
    let client = GrpcClient::new(env::var("NODE_URL")?)?;
    let user = Ed25519PrivateKey::new([8; 32]);
    let builder = client.transaction_builder(user.public_key().derive_address());
    let effects = builder.execute_with_gas_sponsor(&station, &user).await?;
    println!("{}", effects.as_v1().transaction_digest);
    Ok(())
}
