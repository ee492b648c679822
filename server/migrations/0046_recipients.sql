-- A letter is for up to twenty people: each has a delivery, which holds their address, and what its author calls them.
alter table deliveries
  add column position smallint,
  add column address text,
  add column address_key text,
  add column name text;
update deliveries set
  position = case rank when 'first' then 0 else 1 end,
  address = case rank when 'first' then target_email else second_email end,
  address_key = case rank when 'first' then target_email_key else second_email_key end
from revelations where revelations.id = revelation_id;
-- Both forms of one domain, in letters and in ASCII, were two addresses until 0017: the first one stays.
delete from deliveries as second using deliveries as first
where first.revelation_id = second.revelation_id and first.address_key = second.address_key
  and first.position < second.position;
alter table deliveries
  alter column position set not null,
  alter column address set not null,
  alter column address_key set not null,
  drop column rank,
  -- What is addressed to somebody is found by their address.
  add constraint deliveries_by_address unique (address_key, revelation_id);
create index deliveries_of_revelation on deliveries (revelation_id, position);

alter table revelations
  drop column target_email,
  drop column target_email_key,
  drop column second_email,
  drop column second_email_key,
  -- Whether each of them is told for whom else it is.
  add column recipients_see_each_other boolean not null default false;
