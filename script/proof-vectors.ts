// Writes docs/proof-vectors.json anew, after a change of what it is made of.
import { writeFileSync } from 'node:fs'
import { createVectors } from '../contract/test/proof-vectors.ts'

writeFileSync(
  new URL('../docs/proof-vectors.json', import.meta.url),
  `${JSON.stringify(createVectors(), null, 2)}\n`,
)
