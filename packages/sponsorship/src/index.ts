export { checkGasPrice } from './check-gas-price.js';
export { checkObjectCount, MOST_NAMED_OBJECTS } from './check-object-count.js';
export { checkSponsorship, type SponsoredReservation } from './check-sponsorship.js';
