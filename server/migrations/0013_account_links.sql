-- Links mailed to prove an address or to choose another password. The token is derived from the id, never stored: a
-- dump holds its SHA-256 only.
create table account_links (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('verify_email', 'change_email', 'reset_password')),
  token_hash bytea not null unique,
  -- The address it is mailed to, and that it proves.
  email text not null,
  email_key text not null,
  -- The address that another takes the place of: it is told when this is asked for, and when it is done.
  previous_email text,
  created_at timestamptz not null,
  -- The end of its time, or the instant at which it was used or followed by a newer one.
  expires_at timestamptz not null
);
create index account_links_by_user on account_links (user_id, kind, created_at);
create index account_links_by_expiry on account_links (expires_at);

-- Forgotten passwords, as they were asked: whether the address has an account is found out by the worker, so that the
-- answer and its time tell nothing. A row lives until then.
create table password_requests (
  id uuid primary key default gen_random_uuid(),
  email_key text not null,
  created_at timestamptz not null
);

alter table users add column age_confirmed_at timestamptz;
