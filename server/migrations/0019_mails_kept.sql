-- Mails are found by what they are about, and forgotten once they are long done.
create index mails_by_subject on mails (subject_id);
create index mails_done on mails ((coalesce(sent_at, first_tried_at, created_at)))
  where state <> 'queued';

-- How many mails a person made leave at once for an address, since the first of them, within a day of it.
alter table addressee_uses
  add column mails integer not null default 0,
  add column mails_since timestamptz;
