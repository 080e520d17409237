export * from './execute-tx.dto.js';
export * from './explanation.dto.js';
export * from './fleet.dto.js';
export * from './pause.dto.js';
export * from './reservation.dto.js';
export * from './sponsors.dto.js';
export * from './unpaid-transaction.dto.js';
