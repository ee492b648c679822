-- A request that waits: accepting turns it into a relationship, and a pair has at most one, whoever asked.
create table relationship_requests (
  id uuid primary key default gen_random_uuid(),
  sender_id uuid not null references users on delete cascade,
  receiver_id uuid not null references users on delete cascade,
  type text not null check (type in ('friend', 'family')),
  message text not null default '',
  created_at timestamptz not null,
  check (sender_id <> receiver_id)
);
create unique index relationship_requests_by_pair
  on relationship_requests (least(sender_id, receiver_id), greatest(sender_id, receiver_id));
create index relationship_requests_by_sender on relationship_requests (sender_id);
create index relationship_requests_by_receiver on relationship_requests (receiver_id);

-- Blocking hides each from the other; only who blocked may undo it.
create table blocks (
  blocker_id uuid not null references users on delete cascade,
  blocked_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_by_blocked on blocks (blocked_id);
