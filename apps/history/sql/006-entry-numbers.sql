-- The numbers of the entries of each sponsor's stream. Writers add those that they write in the transaction that inserts the records.
-- `missing`: how many numbers were neither written nor in the stream; they count among `written` from then on.
CREATE TABLE entry_numbers (
  sponsor text           NOT NULL,
  era     bigint         NOT NULL,
  written int8multirange NOT NULL DEFAULT '{}',
  missing bigint         NOT NULL DEFAULT 0,
  PRIMARY KEY (sponsor, era)
);
