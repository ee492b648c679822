-- What became of a public revelation: by its author, and by the votes of its readers. It stands on the revelation, so that
-- lists are filtered by it and shown with it; votes are counted there, which rewrites the row and no index.
alter table revelations
  add column outcome text check (outcome in ('fulfilled', 'partly', 'failed', 'undecidable')),
  add column outcome_source text,
  add column outcome_declared_at timestamptz,
  -- Never changed silently: when it last was, and what it had said before.
  add column outcome_changed_at timestamptz,
  add column former_outcome text check (former_outcome in ('fulfilled', 'partly', 'failed', 'undecidable')),
  add column votes_fulfilled integer not null default 0,
  add column votes_partly integer not null default 0,
  add column votes_failed integer not null default 0,
  add column votes_undecidable integer not null default 0,
  add check ((outcome is null) = (outcome_declared_at is null));
create index revelations_public_by_outcome
  on revelations (outcome, reveal_at, id) where visibility = 'public' and outcome is not null;
create index revelations_public_by_outcome_and_category
  on revelations (outcome, category, reveal_at, id) where visibility = 'public' and outcome is not null;

-- One vote per account, changed or taken back as one likes.
create table prediction_votes (
  revelation_id uuid not null references revelations on delete cascade,
  voter_id uuid not null references users on delete cascade,
  outcome text not null check (outcome in ('fulfilled', 'partly', 'failed', 'undecidable')),
  voted_at timestamptz not null,
  primary key (revelation_id, voter_id)
);
create index prediction_votes_by_voter on prediction_votes (voter_id);
