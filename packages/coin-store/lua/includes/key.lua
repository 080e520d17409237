-- Every key of a sponsor's pool, built in this one place. KEYS[1] is the pool's prefix, `fc:{<sponsor>}:`; its hash
-- tag keeps all of a pool in one slot.
--
--   chain                  string  identifier of the network the pool belongs to
--   coins                  hash    objectId -> version:digest:balance:place, for every coin of the pool
--   classes                zset    classes of balance that have available coins; score = class
--   available:<class>      list    objectIds, first in first out
--   dust                   list    objectIds of coins too small to sponsor with, oldest first
--   treasury               zset    objectIds of coins kept whole until they are split; score = balance, rounded
--   reservation:<id>       hash    one reservation: caller budget deadline duration coins count sum state fence; once
--                                  claimed digest bytes signature waiters lease executor begun resumed holds inputs;
--                                  counted where the caller has limits
--   reserved               zset    reservation ids; score = deadline in ms
--   claimed                zset    reservation ids; score = end of the lease in ms
--   executing              zset    reservation ids; score = when it was begun, in ms
--   quarantined            zset    reservation ids; score = since when, in ms
--   maintenance            zset    operation ids; score = end of the lease in ms
--   operation:<id>         hash    one split or fold: kind coins, and once bound digest bytes amount
--   totals                 hash    <state>:coins and <state>:balance, smashed, gasCharged
--   sequence               string  the last reservation id without its sponsor's index
--   inputs                 hash    objectId:version -> reservation id, of transactions in flight
--   usage:<counter>        hash    used, window: what is used of a limit (includes/usage.lua)
--   caller:<name>          hash    what a caller with limits has reserved (includes/caller-use.lua)
--   gone                   zset    objectIds that left the pool; score = when, in ms
--   lock:<name>            hash    owner and fence of a held lock
--   fence:<name>           string  counts the holders of a lock
local function key(name)
  return KEYS[1] .. name
end
