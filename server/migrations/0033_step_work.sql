-- How long a step is likely to take, by the length of its file: short work goes before long, and of one owner one at a time.
alter table media_steps add column work_seconds integer not null default 0;
