export {
  type ApiDocument,
  renderClientTypes,
  renderGatewayTypes,
  renderLedgerTypes,
} from './render-api-types.js';
