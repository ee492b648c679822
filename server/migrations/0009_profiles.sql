-- Pictures of people: public, re-encoded, stored sealed like every file. users.avatar_url holds the address.
create table avatars (
  user_id uuid primary key references users on delete cascade,
  storage_key text not null unique,
  wrapped_key bytea not null,
  size_bytes bigint not null,
  created_at timestamptz not null
);

-- Which mails a person wants; no row means all of them.
create table notification_preferences (
  user_id uuid primary key references users on delete cascade,
  email_notifications boolean not null default true,
  new_revelations boolean not null default true,
  revelation_revealed boolean not null default true,
  new_comments boolean not null default true,
  new_reactions boolean not null default true
);

-- An author's public record counts what was withdrawn too (decisions §4), so it must outlive the row; and narrowing
-- an audience first must not take an item out of the record.
alter table users add column withdrawn_count integer not null default 0;
alter table revelations add column was_public boolean not null default false;
update revelations set was_public = true where visibility = 'public';
