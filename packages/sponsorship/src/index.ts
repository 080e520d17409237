export { checkSponsorship, type SponsoredReservation } from './check-sponsorship.js';
