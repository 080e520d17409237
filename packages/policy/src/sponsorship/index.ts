export { checkGasPrice } from './check-gas-price.js';
export { checkObjectCount } from './check-object-count.js';
export { checkSponsorship, type SponsoredReservation } from './check-sponsorship.js';
