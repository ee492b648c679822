-- A reminder that was sent goes on saying that its account awaited the letter, which then waits to be opened (4.6).
alter table reminders drop constraint reminders_stage_check,
  add constraint reminders_stage_check check (stage in ('day_before', 'instant', 'sent'));
drop index reminders_due;
create index reminders_due on reminders (due_at) where stage <> 'sent';
