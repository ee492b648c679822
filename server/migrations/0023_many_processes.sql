-- What processes of one installation share so that each thing happens once, whichever of them does it.
create table schedule_runs (
  name text primary key,
  began_at timestamptz not null,
  -- Until then the process that began it is at work; it moves this on as long as it lives.
  held_until timestamptz not null
);

-- Calls counted against the limit of a route. Unlogged: a crash forgets at most the counts of a window.
create unlogged table rate_counts (
  key text primary key,
  calls integer not null,
  ends_at timestamptz not null
);
create index rate_counts_ended on rate_counts (ends_at);
