-- How many views a letter had on which day (UTC, as a view counts once a day), for the statistics of its author (docs/behaviour.md
-- 11.4). Without viewers: those are forgotten when their day is over. Days before this migration are in no row.
create table view_days (
  revelation_id uuid not null references revelations on delete cascade,
  day date not null,
  views integer not null,
  primary key (revelation_id, day)
);
insert into view_days select revelation_id, day, count(*) from revelation_views group by revelation_id, day;
