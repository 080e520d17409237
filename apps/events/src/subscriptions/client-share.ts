/** The part that one client may hold of what no other client holds: 32 clients leave an eighth. */
export const CLIENT_SHARE = 1 / 16;
