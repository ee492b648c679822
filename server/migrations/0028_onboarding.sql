-- When somebody was first shown around: once, whatever device they come back with. Who is here already knows the place.
alter table users add column onboarded_at timestamptz;
update users set onboarded_at = created_at;
