-- What happened under a revelation since its author was told, at most once an hour. due_at is null when nothing waits.
create table activity_digests (
  revelation_id uuid primary key references revelations on delete cascade,
  counted_from timestamptz not null,
  due_at timestamptz,
  last_sent_at timestamptz
);
create index activity_digests_due on activity_digests (due_at) where due_at is not null;

-- « Me rappeler »: the day before, then at the instant.
create table reminders (
  revelation_id uuid not null references revelations on delete cascade,
  user_id uuid not null references users on delete cascade,
  stage text not null check (stage in ('day_before', 'instant')),
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (revelation_id, user_id)
);
create index reminders_due on reminders (due_at);
create index reminders_by_user on reminders (user_id);

-- Addresses that want no mail, as keyed hashes: the list tells nobody who they are.
create table suppressed_addresses (
  address_hash bytea primary key,
  reason text not null check (reason in ('unsubscribed', 'reported', 'bounced')),
  created_at timestamptz not null
);

-- The addresses a person wrote to in the last 24 hours, as keyed hashes, whatever became of the revelations.
create table addressee_uses (
  user_id uuid not null references users on delete cascade,
  address_hash bytea not null,
  used_at timestamptz not null,
  primary key (user_id, address_hash)
);
create index addressee_uses_by_time on addressee_uses (used_at);
