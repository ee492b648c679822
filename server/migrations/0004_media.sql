-- The key under which this database's data keys are wrapped: a start with another master key is refused.
create table master_keys (
  only_row boolean primary key default true check (only_row),
  fingerprint bytea not null,
  created_at timestamptz not null
);

-- A file somebody sent. Its data key is its own (it exists before its revelation); the teaser, which may be
-- seen before the reveal, has another, so that showing it never unwraps the key of the letter.
create table media (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('video', 'image', 'audio', 'document')),
  state text not null check (state in ('receiving', 'received', 'processing', 'ready', 'failed')),
  mime_type text not null,
  extension text not null,
  size_bytes bigint not null,
  wrapped_key bytea not null,
  wrapped_teaser_key bytea not null,
  sealed_facts bytea,
  -- Last sign of life of a transfer, null once it is over: without it for long, the transfer is dead.
  receiving_at timestamptz,
  attached_at timestamptz,
  created_at timestamptz not null
);
create index media_by_owner on media (owner_id);
create index media_unused on media (created_at) where attached_at is null;

-- The stored objects of a file: the original and what was made from it.
create table media_objects (
  media_id uuid not null references media on delete cascade,
  variant text not null check (
    variant in ('original', 'mobile', 'teaser', 'thumbnail_teaser', 'thumbnail_complete', 'image', 'audio')
  ),
  storage_key text not null unique,
  mime_type text not null,
  size_bytes bigint not null,
  created_at timestamptz not null,
  primary key (media_id, variant)
);

-- What is being made from a file; the row is the truth, the queue only moves it on.
create table media_steps (
  id uuid primary key default gen_random_uuid(),
  media_id uuid not null references media on delete cascade,
  type text not null check (type in ('teaser', 'thumbnails', 'mobile', 'image', 'audio')),
  state text not null check (state in ('processing', 'completed', 'failed')),
  progress integer not null default 0 check (progress between 0 and 100),
  attempts integer not null default 0,
  error text,
  teaser_start double precision,
  teaser_end double precision,
  created_at timestamptz not null
);
create index media_steps_by_media on media_steps (media_id, created_at);
