-- The network whose records the tables hold: one row, from the first sponsorship on.
CREATE TABLE network (
  chain    text    NOT NULL,
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row)
);
