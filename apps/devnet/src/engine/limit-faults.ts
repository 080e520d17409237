import { fault } from './input-fault.js';

/** Faults of the gas payment, and violations of protocol limits, in the node's words. */
export const limitFaults = {
  missingGasPayment: () => fault('Transaction gas payment missing', 'MissingGasPayment'),

  notGas: (id: string) =>
    fault(`Object ${id} is not a gas object`, `InvalidGasObject { object_id: ${id} }`),

  gasNotOwned: (owner: string) =>
    fault(
      `Gas object is not an owned object with owner: ${owner}`,
      `GasObjectNotOwnedObject { owner: ${owner} }`,
    ),

  balanceTooLow: (balance: bigint, needed: bigint) =>
    fault(
      `Balance of gas object ${balance} is lower than the needed amount: ${needed}`,
      `GasBalanceTooLow { gas_balance: ${balance}, needed_gas_amount: ${needed} }`,
    ),

  priceTooLow: (price: bigint, reference: bigint) =>
    fault(
      `Gas price ${price} under reference gas price (RGP) ${reference}`,
      `GasPriceUnderRGP { gas_price: ${price}, reference_gas_price: ${reference} }`,
    ),

  priceTooHigh: (max: bigint) =>
    fault(`Gas price cannot exceed ${max} nanos`, `GasPriceTooHigh { max_gas_price: ${max} }`),

  budgetTooHigh: (budget: bigint, max: bigint) =>
    fault(
      `Gas budget: ${budget} is higher than max: ${max}`,
      `GasBudgetTooHigh { gas_budget: ${budget}, max_budget: ${max} }`,
    ),

  budgetTooLow: (budget: bigint, min: bigint) =>
    fault(
      `Gas budget: ${budget} is lower than min: ${min}`,
      `GasBudgetTooLow { gas_budget: ${budget}, min_budget: ${min} }`,
    ),

  tooLarge: (limit: string, value: number) =>
    fault(
      `Size limit exceeded: ${limit} is ${value}`,
      `SizeLimitExceeded { limit: "${limit}", value: "${value}" }`,
    ),

  tooManyPackages: (max: number, made: number) =>
    fault(
      `${max} max publish/upgrade commands allowed, ${made} provided`,
      `MaxPublishCountExceeded { max_publish_commands: ${max}, publish_count: ${made} }`,
    ),

  emptyCommand: () =>
    fault(
      'TransferObjects, MergeCoin, and Publish cannot have empty arguments. ' +
        'If MakeMoveVec has empty arguments, it must have a type specified',
      'EmptyCommandInput',
    ),
} as const;
