-- Sealed messages. The letter is ciphertext before and after the reveal; deleting the row deletes its key.
create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- unaccent() is only stable because its dictionary may be replaced; ours never is, and an index needs immutable.
create function search_form(text) returns text
  language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent', normalize($1, NFC)));

create table revelations (
  id uuid primary key,
  author_id uuid not null references users on delete cascade,
  title text not null,
  category text not null,
  visibility text not null check (visibility in ('public', 'friends', 'family', 'private')),
  target_email text not null,
  target_email_key text not null,
  reveal_at timestamptz not null,
  time_zone text not null,
  wrapped_key bytea not null,
  sealed_content bytea not null,
  media_id uuid unique references media,
  file_type text,
  teaser_start double precision,
  teaser_end double precision,
  version integer not null default 1,
  commitment bytea not null,
  sealed_opening bytea not null,
  reactions_count integer not null default 0,
  comments_count integer not null default 0,
  views_count integer not null default 0,
  searchable boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index revelations_newest on revelations (created_at desc, id desc);
create index revelations_public_newest on revelations (created_at desc, id desc) where visibility = 'public';
create index revelations_by_author on revelations (author_id, created_at desc, id desc);
create index revelations_by_reveal on revelations (reveal_at, id);
create index revelations_to_index on revelations (reveal_at) where not searchable;
create index revelations_by_addressee on revelations (target_email_key);
create index revelations_by_title on revelations using gin (search_form(title) gin_trgm_ops);
create index users_by_pseudo_part on users using gin (search_form(pseudo) gin_trgm_ops);

-- Keyed hashes of the three-letter pieces of letters that are already revealed, so that they can be searched
-- without a readable copy. Nothing of a sealed letter is ever here.
create table letter_grams (
  revelation_id uuid primary key references revelations on delete cascade,
  grams integer[] not null
);
create index letter_grams_by_gram on letter_grams using gin (grams);

-- What was sealed and when: one commitment per version, and one line when it was withdrawn. Append only: it
-- outlives its revelation, whose salt is gone by then.
create table seals (
  position bigint generated always as identity primary key,
  revelation_id uuid not null,
  version integer not null,
  kind text not null check (kind in ('create', 'edit', 'delete')),
  commitment bytea not null,
  sealed_at timestamptz not null
);
create index seals_by_revelation on seals (revelation_id, version);

-- One view per viewer and day; the viewer is an account or a daily keyed hash, never an address.
create table revelation_views (
  revelation_id uuid not null references revelations on delete cascade,
  viewer text not null,
  day date not null,
  primary key (revelation_id, viewer, day)
);
create index revelation_views_by_day on revelation_views (day);
