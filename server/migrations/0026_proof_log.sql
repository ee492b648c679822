-- The public log of what was sealed (docs/proof.md). Its tables only grow: what a checkpoint covers is never changed.

-- Seals that no checkpoint covers yet. A seal’s position is given before its transaction commits, so that a later one
-- may be seen first: what was taken is removed, nothing is counted.
create table log_pending (
  seal_position bigint primary key references seals
);
insert into log_pending select position from seals;

create table log_leaves (
  leaf_index bigint primary key check (leaf_index >= 0),
  seal_position bigint not null unique references seals,
  hash bytea not null check (octet_length(hash) = 32)
);

-- Complete tiles of 256 hashes; those at the right edge are made of log_leaves and of the roots of the level below.
create table log_tiles (
  level smallint not null,
  tile_index bigint not null,
  hashes bytea not null check (octet_length(hashes) = 8192),
  root bytea not null check (octet_length(root) = 32),
  primary key (level, tile_index)
);

create table log_checkpoints (
  size bigint primary key check (size > 0),
  root bytea not null check (octet_length(root) = 32),
  log_key text not null,
  note text not null,
  signed_at timestamptz not null
);

create function note_pending_seals() returns trigger
  language plpgsql
  as $$
begin
  insert into log_pending select position from added;
  return null;
end $$;
create trigger note_pending_seals after insert on seals
  referencing new table as added for each statement execute function note_pending_seals();

create function refuse_change() returns trigger
  language plpgsql
  as $$
begin
  raise exception '% only grows', tg_table_name using errcode = 'restrict_violation';
end $$;

-- A restore empties tables that hold nothing.
create function refuse_truncate() returns trigger
  language plpgsql
  as $$
declare
  has_rows boolean;
begin
  execute format('select exists (select from %I.%I)', tg_table_schema, tg_table_name) into has_rows;
  if has_rows then
    raise exception '% only grows', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger refuse_change before update or delete on seals
  for each statement execute function refuse_change();
create trigger refuse_change before update or delete on log_leaves
  for each statement execute function refuse_change();
create trigger refuse_change before update or delete on log_tiles
  for each statement execute function refuse_change();
create trigger refuse_change before update or delete on log_checkpoints
  for each statement execute function refuse_change();
create trigger refuse_truncate before truncate on seals
  for each statement execute function refuse_truncate();
create trigger refuse_truncate before truncate on log_leaves
  for each statement execute function refuse_truncate();
create trigger refuse_truncate before truncate on log_tiles
  for each statement execute function refuse_truncate();
create trigger refuse_truncate before truncate on log_checkpoints
  for each statement execute function refuse_truncate();
