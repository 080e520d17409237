export {
  checkGasPrice,
  checkObjectCount,
  checkSponsorship,
  type SponsoredReservation,
} from './check-sponsorship.js';
