-- Five seconds of its author's voice that play as the seal of a letter breaks (docs/behaviour.md 4.7). The file is one of
-- `media`, for this and nothing else; its typed words are ciphertext under the key of the letter, and go with it.
alter table revelations
  add column seal_voice_id uuid unique references media,
  add column sealed_voice_words bytea,
  add check (sealed_voice_words is null or seal_voice_id is not null);
