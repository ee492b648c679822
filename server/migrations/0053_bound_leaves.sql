-- Leaves of format 2 (docs/proof.md): each is bound to its revelation and to the leaf before it, and commits to named fields, the
-- audience among them. Those of format 1 stay as they are, before all others.
alter table seals
  add column format smallint not null default 1,
  add column identity bytea,
  add column former bytea;
-- What an older program inserts is refused by the check, and not taken for format 1.
alter table seals alter column format set default 2;
alter table seals drop constraint seals_kind_check;
alter table seals
  add constraint seals_kind_check check (kind in ('create', 'edit', 'change', 'delete')),
  add constraint seals_bound check ((format = 1 or (
    format = 2 and octet_length(identity) = 32 and octet_length(former) in (0, 32) and octet_length(commitment) = 32
  )) is true);

-- What whoever sees the envelope is told of a leaf: it goes with the revelation.
create table seal_fields (
  seal_position bigint primary key references seals,
  revelation_id uuid not null references revelations on delete cascade,
  fields jsonb not null
);
create index seal_fields_by_revelation on seal_fields (revelation_id);

-- From which leaf on all are of format 2. No row is 0: a restore fills tables that hold nothing.
create table log_format (
  is_only boolean primary key default true check (is_only),
  v2_from bigint not null
);
insert into log_format (v2_from) select count(*) from seals having count(*) > 0;

-- The keys of the log, one after the other; the statement of each says which it replaces, signed by both.
create table log_keys (
  number integer primary key check (number > 0),
  log_key text not null,
  statement text check ((statement is null) = (number = 1)),
  began_at timestamptz not null
);
insert into log_keys select 1, log_key, null, min(signed_at) from log_checkpoints group by log_key;

create trigger refuse_change before update or delete on log_format
  for each statement execute function refuse_change();
create trigger refuse_change before update or delete on log_keys
  for each statement execute function refuse_change();
create trigger refuse_truncate before truncate on log_format
  for each statement execute function refuse_truncate();
create trigger refuse_truncate before truncate on log_keys
  for each statement execute function refuse_truncate();

-- An author chose what their record showed by widening what came true. It counts what was public from its sealing on and waited
-- for its instant; of what was edited before this migration nobody can tell, which is counted apart.
alter table revelations
  add column identity_blinding bytea check (octet_length(identity_blinding) = 32),
  add column public_since timestamptz,
  add column record_state text not null default 'none' check (record_state in ('counted', 'unattested', 'none'));
update revelations set public_since = created_at
  where updated_at = created_at and coalesce(visibility_before_hiding, visibility) = 'public';
update revelations set record_state = case when updated_at = created_at then 'counted' else 'unattested' end
  where was_public and reveal_at > created_at;
alter table revelations drop column was_public;
