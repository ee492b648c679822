-- Which checkpoint of the log left with which mail of a letter (preuve.txt): the proof of the letter brings along what leads
-- from there to its own, so that a mail is checked without a network. Of the mails before this migration nothing is known.
create table mailed_checkpoints (
  revelation_id uuid not null references revelations on delete cascade,
  -- Whose address it was mailed to; null is the author’s own.
  delivery_id uuid references deliveries on delete cascade,
  size bigint not null check (size > 0),
  unique nulls not distinct (revelation_id, delivery_id, size)
);
create index mailed_checkpoints_by_delivery on mailed_checkpoints (delivery_id);
