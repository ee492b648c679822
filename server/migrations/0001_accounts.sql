-- People and their sessions. Keys (email_key, pseudo_key) are what must be unique: lower case, NFC.
create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  email_key text not null unique,
  pseudo text not null,
  pseudo_key text not null unique,
  password_hash text not null,
  avatar_url text,
  bio text not null default '',
  location text not null default '',
  website text not null default '',
  email_verified_at timestamptz,
  created_at timestamptz not null
);

-- A token is kept as its SHA-256 only: a stolen dump opens no session.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  device text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

-- Failed sign-ins of the last minutes, by account and by network, so that every process throttles alike.
create table sign_in_failures (
  id bigint generated always as identity primary key,
  subject text not null,
  failed_at timestamptz not null
);
create index sign_in_failures_by_subject on sign_in_failures (subject, failed_at);
