-- What was bought, plan or storage, and through which provider; « demo » takes no money.
create table purchases (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  plan text check (plan in ('free', 'standard', 'pro', 'unlimited')),
  storage_mb integer check (storage_mb > 0),
  price_cents integer not null check (price_cents >= 0),
  provider text not null,
  reference text not null,
  created_at timestamptz not null,
  check ((plan is null) <> (storage_mb is null))
);
create index purchases_by_user on purchases (user_id, created_at);
