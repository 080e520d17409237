export { checkGasPrice } from './check-sponsorship.js';
export { checkObjectCount } from './check-sponsorship.js';
export { checkSponsorship, type SponsoredReservation } from './check-sponsorship.js';
