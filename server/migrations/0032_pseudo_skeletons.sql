-- Pseudos that look the same have the same skeleton (decision 39). No SQL makes one: those of accounts there before are
-- filled in by the worker, who keeps an account its pseudo where another one, older, looks the same.
alter table users add column pseudo_skeleton text unique;
create index users_without_skeleton on users (created_at, id) where pseudo_skeleton is null;
