import type { PublicRecord } from '#contract/predictions.ts'
import { outcomesInWords, recordInWords } from './outcome-words.ts'

/** What became of the public ones: withdrawn ones count, so that a record cannot be embellished. */
export function RecordLines({ record }: { record: PublicRecord }) {
  const outcomes = outcomesInWords(record)
  return (
    <>
      <span className="text-ink">{recordInWords(record)}</span>
      {outcomes && <span className="block">{outcomes}</span>}
    </>
  )
}
