-- Tokens with which programs call the API in the name of an account (docs/behaviour.md 9.10). As of a session, only the SHA-256 of
-- a token is kept; the name is what its owner calls it.
create table api_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  name text not null,
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['read', 'write']),
  created_at timestamptz not null,
  -- Null for one without an end.
  expires_at timestamptz,
  last_used_at timestamptz
);
create index api_tokens_by_user on api_tokens (user_id, created_at);
