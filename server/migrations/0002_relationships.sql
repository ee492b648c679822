-- One row per pair of people, whoever asked: the pair is kept in order so that it cannot exist twice.
create table relationships (
  id uuid primary key default gen_random_uuid(),
  low_user_id uuid not null references users on delete cascade,
  high_user_id uuid not null references users on delete cascade,
  type text not null check (type in ('friend', 'family')),
  created_at timestamptz not null,
  check (low_user_id < high_user_id),
  unique (low_user_id, high_user_id)
);
create index relationships_by_high_user on relationships (high_user_id);
