-- What was bought, a plan or storage, and through which provider; « demo » takes no money.
create table purchases (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  plan text check (plan in ('standard', 'pro', 'unlimited')),
  -- The end of the month that was bought.
  ends_at timestamptz,
  storage_mb integer check (storage_mb > 0),
  price_cents integer not null check (price_cents > 0),
  provider text not null,
  reference text not null,
  -- What whoever buys calls this purchase, so that asking twice buys once.
  idempotency_key uuid,
  created_at timestamptz not null,
  check ((plan is null) <> (storage_mb is null)),
  check ((plan is null) = (ends_at is null)),
  unique (provider, reference),
  unique (user_id, idempotency_key)
);
create index purchases_by_user on purchases (user_id, created_at);
