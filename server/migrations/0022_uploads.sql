-- A file on its way in several requests (tus). What has arrived is sealed pieces, each an object of its own; the row
-- is the reservation of the room the whole file will take, until it becomes a file or is swept.
create table uploads (
  id uuid primary key,
  owner_id uuid not null references users on delete cascade,
  declared_bytes bigint not null check (declared_bytes > 0),
  received_bytes bigint not null default 0 check (received_bytes between 0 and declared_bytes),
  wrapped_key bytea not null,
  -- Name and type as the sender said them.
  sealed_facts bytea not null,
  -- The file it became, whose row counts its room from then on; kept a while to answer who asks again.
  media_id uuid unique references media on delete cascade,
  created_at timestamptz not null,
  -- The last byte, or the making of the file.
  touched_at timestamptz not null
);
create index uploads_by_owner on uploads (owner_id);
create index uploads_by_touch on uploads (touched_at);

create table upload_pieces (
  upload_id uuid not null references uploads on delete cascade,
  start_byte bigint not null,
  size_bytes bigint not null check (size_bytes > 0),
  storage_key text not null unique,
  primary key (upload_id, start_byte)
);

-- While it is received a file takes one of the few slots of its owner. One that is made of an upload waits for its turn
-- elsewhere and takes none.
alter table media add column takes_slot boolean not null default true;
