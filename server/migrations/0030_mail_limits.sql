-- The mails of a day, against the limits of a mailbox: whoever wrote, and even once the mail and its accounts are gone.
create table counted_mails (
  -- That of the mail or of the link: what is tried again counts once.
  id uuid primary key,
  mailbox_hash bytea not null,
  class text not null check (class in ('letters', 'news', 'safety', 'links', 'resets')),
  -- A keyed hash too: nothing of an account that is gone may be found here.
  sender_hash bytea,
  counted_at timestamptz not null
);
create index counted_mails_by_mailbox on counted_mails (mailbox_hash, class, counted_at);
create index counted_mails_by_time on counted_mails (counted_at);

-- A mail beyond the limits waits until then for others to the same address; those that leave together are a group, and
-- the id of the group is what their Message-ID names.
alter table mails
  add column address_hash bytea,
  add column mailbox_hash bytea,
  add column held_class text,
  add column held_until timestamptz,
  add column group_id uuid;
create index mails_held on mails (held_until) where held_until is not null;
create index mails_held_for on mails (mailbox_hash, held_class) where held_until is not null;
create index mails_by_group on mails (group_id) where group_id is not null;

alter table addressee_uses
  drop column mails,
  drop column mails_since;

-- Whether the address that another takes the place of was proved: only then is it that of a user.
alter table account_links add column previous_proved boolean not null default true;
