-- What happened to an account (docs/behaviour.md 5.8): unread things of a kind about one subject are one row. A row holds
-- nothing of its subject and goes with it; who may still learn of that is asked at each read.
create table notifications (
  -- In the order in which they came: what has one instant is listed so.
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  kind text not null,
  -- What is grouped in one row: the narrowest of what follows, or the account itself.
  subject_id uuid not null,
  revelation_id uuid references revelations on delete cascade,
  comment_id uuid references comments on delete cascade,
  reply_id uuid references replies on delete cascade,
  request_id uuid references relationship_requests on delete cascade,
  relationship_id uuid references relationships on delete cascade,
  delivery_id uuid references deliveries on delete cascade,
  -- Of a decision of the operator: whether it restored.
  is_restored boolean not null default false,
  -- Of the first and of the latest in it.
  started_at timestamptz not null,
  created_at timestamptz not null,
  read_at timestamptz,
  -- False where its account chose pushes alone for this kind.
  is_listed boolean not null,
  -- Until the browsers of its account were looked for.
  is_push_due boolean not null
);
create unique index notifications_unread_group on notifications (user_id, kind, subject_id) where read_at is null;
create unique index notifications_once on notifications (revelation_id, kind, user_id)
  where kind in ('letter_waiting', 'letter_announced', 'revealed', 'unopened');
create index notifications_newest on notifications (user_id, created_at desc, id desc) where is_listed;
create index notifications_unread on notifications (user_id, created_at desc, id desc) where is_listed and read_at is null;
create index notifications_push_due on notifications (created_at) where is_push_due;
create index notifications_by_age on notifications (created_at);
create index notifications_of_revelation on notifications (revelation_id) where revelation_id is not null;
create index notifications_of_comment on notifications (comment_id) where comment_id is not null;
create index notifications_of_reply on notifications (reply_id) where reply_id is not null;
create index notifications_of_request on notifications (request_id) where request_id is not null;
create index notifications_of_relationship on notifications (relationship_id) where relationship_id is not null;
create index notifications_of_delivery on notifications (delivery_id) where delivery_id is not null;

-- What an account chose for a kind; null is as for everybody at first.
create table notification_switches (
  user_id uuid not null references users on delete cascade,
  kind text not null,
  page boolean,
  push boolean,
  primary key (user_id, kind)
);
-- Until now one switch, of the mails, stopped these pushes too.
insert into notification_switches (user_id, kind, push)
  select user_id, kind, false from notification_preferences, unnest(array['revealed', 'letter_waiting']) as kind
  where not revelation_revealed;

-- A push is about a notification, about a letter whose reminder is due, or a trial of its browser.
delete from pushes where not is_reminder;
alter table pushes
  drop column is_reminder,
  alter column revelation_id drop not null,
  add column notification_id uuid references notifications on delete cascade,
  add check (num_nonnulls(revelation_id, notification_id) <= 1),
  add unique (subscription_id, notification_id);
create index pushes_by_notification on pushes (notification_id) where notification_id is not null;

-- Letters that left three days ago are looked for.
create index deliveries_by_sending on deliveries (sent_at) where opened_at is null and state = 'sent';

-- One mail a day for all that others left under an account’s letters, instead of several about each.
create table daily_digests (
  user_id uuid primary key references users on delete cascade,
  counted_from timestamptz not null,
  due_at timestamptz
);
create index daily_digests_due on daily_digests (due_at) where due_at is not null;
insert into daily_digests (user_id, counted_from, due_at)
  select author_id, min(counted_from), min(due_at)
  from activity_digests join revelations on revelations.id = revelation_id
  where due_at is not null group by author_id;
drop table activity_digests;
