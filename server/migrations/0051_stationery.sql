-- The paper and the ink that an author chose for a letter (docs/behaviour.md 3.10): part of the letter, so ciphertext under its
-- key; null on what everybody has.
alter table revelations add column sealed_stationery bytea;
