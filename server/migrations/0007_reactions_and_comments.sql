-- What people leave under a revelation. The counters on revelations are kept in the same statement as the rows.
create table reactions (
  revelation_id uuid not null references revelations on delete cascade,
  author_id uuid not null references users on delete cascade,
  emoji text not null,
  created_at timestamptz not null,
  primary key (revelation_id, author_id, emoji)
);
create index reactions_by_emoji on reactions (revelation_id, emoji, created_at, author_id);
create index reactions_by_author on reactions (author_id);

-- The id may come from the sender, so that a request sent again writes nothing twice.
create table comments (
  id uuid primary key,
  revelation_id uuid not null references revelations on delete cascade,
  author_id uuid not null references users on delete cascade,
  content text not null,
  created_at timestamptz not null
);
create index comments_newest on comments (revelation_id, created_at desc, id desc);
create index comments_by_author on comments (author_id, revelation_id);
