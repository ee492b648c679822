-- A revelation may go to a second address; each delivery has a key of its own, which its author may revoke.
alter table revelations add column second_email text, add column second_email_key text;
alter table deliveries drop constraint deliveries_revelation_id_key;
alter table deliveries
  add column rank text not null default 'first' check (rank in ('first', 'second')),
  add column key_version integer not null default 1,
  add constraint deliveries_by_rank unique (revelation_id, rank);

-- Keys that open nothing any more, so that whoever holds one is told so.
create table revoked_keys (
  key_hash bytea primary key,
  revelation_id uuid not null references revelations on delete cascade,
  revoked_at timestamptz not null
);
create index revoked_keys_by_revelation on revoked_keys (revelation_id);

-- What its author reads in the journal of a delivery. Append only.
create table delivery_events (
  id bigint generated always as identity primary key,
  delivery_id uuid not null references deliveries on delete cascade,
  step text not null,
  reason text,
  at timestamptz not null
);
create index delivery_events_by_delivery on delivery_events (delivery_id, id);

-- Whose account a mail goes to and on whose account it leaves: they go with either account.
alter table mails
  add column recipient_id uuid references users on delete cascade,
  add column sender_id uuid references users on delete cascade;
create index mails_by_recipient on mails (recipient_id, template, created_at);
create index mails_by_sender on mails (sender_id);
