-- The plan of a person; no row means the free plan.
create table subscriptions (
  user_id uuid primary key references users on delete cascade,
  plan text not null check (plan in ('free', 'standard', 'pro', 'unlimited')),
  expires_at timestamptz,
  additional_storage_mb integer not null default 0 check (additional_storage_mb >= 0)
);
