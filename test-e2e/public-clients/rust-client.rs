//! Has the transaction builder of IOTA's Rust SDK sponsor a transaction.

use std::{env, error::Error};

use iota_sdk_crypto::ed25519::Ed25519PrivateKey;
use iota_sdk_transaction_builder::{
    GasStation, HeaderValue, TransactionBuilder, header::AUTHORIZATION,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let token = format!("Bearer {}", env::var("TOKEN")?);
    let station = GasStation::builder(env::var("GAS_STATION")?.parse()?)
        .header(AUTHORIZATION, HeaderValue::from_str(&token)?)
        .build();
    let user = Ed25519PrivateKey::new([7; 32]);
    let mut builder = TransactionBuilder::new(user.public_key().derive_address());
    builder
        .gas_budget(10_000_000)
        .gas_price(env::var("GAS_PRICE")?.parse()?);
    println!("{}", builder.execute_with_gas_sponsor(&station, &user).await?);
    Ok(())
}
