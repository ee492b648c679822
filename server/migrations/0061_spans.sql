-- What arrives in parts is sealed once, as spans of the file it becomes: `seal_header` is that of the file, and what fills no
-- chunk yet is `sealed_tail`. What an earlier program has received of a file has another form, and is sent anew.
delete from uploads where media_id is null;
alter table uploads
  add column seal_header bytea not null default '',
  add column sealed_tail bytea;
alter table uploads alter column seal_header drop default;
-- Under another name, so that an earlier program that still runs neither adds to these pieces nor reads them as its own.
alter table upload_pieces rename column start_byte to first_byte;
