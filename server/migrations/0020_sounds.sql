-- Voices of the circle, sealed like letters: the description and the file under data keys of their own, locked for
-- everybody until `reveal_at`, the author included (decisions §1).
create table sounds (
  id uuid primary key,
  author_id uuid not null references users on delete cascade,
  -- null for the author's whole family, or once the account of the one person is gone (`is_shared` tells which).
  recipient_id uuid references users on delete set null,
  is_shared boolean not null,
  title text not null,
  category text not null check (category in ('message', 'music', 'memory', 'story')),
  reveal_message text,
  -- null for what was never scheduled.
  scheduled_at timestamptz,
  -- When it opens, or opened: `scheduled_at`, else when it was shared.
  reveal_at timestamptz not null,
  time_zone text not null,
  wrapped_key bytea not null,
  sealed_description bytea not null,
  media_id uuid not null unique references media,
  -- Of its file, known once it is attached; told to nobody before the instant but the author.
  duration_ms bigint not null,
  plays_count integer not null default 0,
  -- When its recipient was mailed, or need not be.
  told_at timestamptz,
  created_at timestamptz not null,
  check (not is_shared or recipient_id is null)
);
create index sounds_by_author on sounds (author_id, created_at desc, id desc);
create index sounds_by_recipient on sounds (recipient_id, created_at desc, id desc) where recipient_id is not null;
create index sounds_by_reveal on sounds (reveal_at, id);
create index sounds_to_tell on sounds (reveal_at) where told_at is null;

create table sound_favorites (
  sound_id uuid not null references sounds on delete cascade,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  primary key (sound_id, user_id)
);
create index sound_favorites_by_user on sound_favorites (user_id);

-- What is made of a sound besides its AAC: its loudness along its length, and a copy that says how long it is and can be
-- sought in, which what a browser records does not.
alter table media_objects drop constraint media_objects_variant_check;
alter table media_objects add constraint media_objects_variant_check check (
  variant in (
    'original', 'mobile', 'teaser', 'thumbnail_teaser', 'thumbnail_complete', 'image', 'audio', 'waveform', 'seekable'
  )
);
