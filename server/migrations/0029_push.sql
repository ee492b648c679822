-- Browsers that want to be told when something opens. Each goes with the session it was asked in; where it is written to,
-- and its keys, are sealed: whoever holds them can write to it.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null unique references sessions on delete cascade,
  endpoint_hash bytea not null unique,
  sealed text not null,
  created_at timestamptz not null
);

-- « Dévoilée », once per browser and revelation; sent_at is null while it has to leave.
create table pushes (
  id uuid primary key default gen_random_uuid(),
  subscription_id uuid not null references push_subscriptions on delete cascade,
  revelation_id uuid not null references revelations on delete cascade,
  -- Whether its reader asked to be reminded: then it follows no preference.
  is_reminder boolean not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  unique (subscription_id, revelation_id)
);
create index pushes_by_revelation on pushes (revelation_id);
create index pushes_by_age on pushes (created_at);
