-- The calendar of a person: its row is made with the three samples when it is first opened.
create table calendars (
  user_id uuid primary key references users on delete cascade,
  -- When the events of the browser were taken in, which happens once.
  imported_at timestamptz,
  created_at timestamptz not null
);

-- A day has no hour and no zone: a birthday is a day wherever one is.
create table calendar_events (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references users on delete cascade,
  title text not null,
  day date not null,
  type text not null check (type in ('birthday', 'anniversary', 'holiday', 'other')),
  description text not null,
  created_at timestamptz not null
);
create index calendar_events_by_owner on calendar_events (owner_id, day, id);

-- The secret address under which a calendar is subscribed to, one a person. The token is derived from the id, never
-- stored: a dump holds its SHA-256 only.
create table calendar_feeds (
  user_id uuid primary key references users on delete cascade,
  id uuid not null unique,
  token_hash bytea not null unique,
  created_at timestamptz not null
);
