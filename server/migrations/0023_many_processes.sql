-- What processes of one installation share so that each thing happens once, whichever of them does it.

-- What one process at a time does: the holder moves held_until on as long as it lives, and whoever finds it past takes over.
create table leases (
  name text primary key,
  holder uuid not null,
  held_until timestamptz not null
);

-- When a schedule last ran to its end, by the moment it began: whoever takes over does not begin it again too early.
create table schedule_runs (
  name text primary key,
  began_at timestamptz not null
);

-- Calls counted against the limit of a route. Unlogged: a crash forgets at most the counts of a window.
create unlogged table rate_counts (
  -- A keyed hash: a dump tells neither who called nor from where.
  key bytea primary key,
  calls integer not null,
  ends_at timestamptz not null
);
create index rate_counts_ended on rate_counts (ends_at);
