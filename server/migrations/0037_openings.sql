-- Each reader opens a letter once, by their own hand: the act is recorded, not the reading (docs/behaviour.md 4.6).
create table openings (
  revelation_id uuid not null references revelations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  opened_at timestamptz not null,
  primary key (user_id, revelation_id)
);
create index openings_of_revelation on openings (revelation_id);

-- The act of the addressee, whether the author is told of it or not; `opened_at` is what the author sees.
alter table deliveries add column seal_broken_at timestamptz;
update deliveries set seal_broken_at = opened_at where opened_at is not null;
