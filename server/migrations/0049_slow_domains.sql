-- Receiving domains that asked for patience (docs/behaviour.md 5.2): their mails leave in turn, one at a time, at a pace that follows
-- their answers. A domain that accepts what comes has no row.
create table slow_domains (
  -- Keyed: a domain may be that of one person.
  domain_hash bytea primary key,
  per_minute double precision not null,
  -- Mails since it last asked for patience.
  accepted integer not null default 0,
  -- Of the job whose turn it is, if any, and when the last turn began.
  turn_id uuid,
  turn_at timestamptz not null
);

-- Ids are in the order in which mails were queued: those that wait for a domain leave in that order, after its more urgent ones.
alter table mails
  alter column id set default uuidv7(),
  add column priority smallint not null default 0,
  -- Set while it waits for the turn of its domain, and has no job.
  add column domain_hash bytea;
create index mails_in_turn on mails (domain_hash, priority desc, id) where domain_hash is not null;
