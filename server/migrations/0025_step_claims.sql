-- A step is made by one run at a time, whichever process took its job, and what another run made is thrown away.
alter table media_steps
  -- The run that is at work, and until when it holds the step; it moves this on as long as it lives.
  add column claimed_by uuid,
  add column claimed_until timestamptz,
  -- Runs that ended without a word: their process died. A file that kills workers is not tried for ever.
  add column lost_runs integer not null default 0,
  -- When it was last asked for: by its upload, or by an author who tries again.
  add column asked_at timestamptz;
update media_steps set asked_at = created_at;
alter table media_steps alter column asked_at set not null;
