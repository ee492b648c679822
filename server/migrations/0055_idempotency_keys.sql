-- What a call made, so that the same call again makes nothing more (docs/behaviour.md 12.4). Neither key, body nor answer is here,
-- only hashes under a secret of the installation: a dump tells nothing of a letter.
create table idempotency_keys (
  user_id uuid references users on delete cascade,
  delivery_id uuid references deliveries on delete cascade,
  key_hash bytea not null check (octet_length(key_hash) = 32),
  input_hash bytea not null check (octet_length(input_hash) = 32),
  resource_id uuid not null,
  created_at timestamptz not null,
  check (num_nonnulls(user_id, delivery_id) = 1),
  unique nulls not distinct (user_id, delivery_id, key_hash)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
-- The unique index begins with the user.
create index idempotency_keys_by_delivery on idempotency_keys (delivery_id) where delivery_id is not null;

-- An upload whose first answer was lost reserved its room a second time.
alter table uploads add column client_key bytea check (octet_length(client_key) = 32);
create unique index uploads_by_client_key on uploads (owner_id, client_key) where client_key is not null;
