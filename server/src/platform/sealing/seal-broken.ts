/** What was sealed has been altered, cut, moved to another place, or belongs to another key. */
export class SealBroken extends Error {
  override name = 'SealBroken'
}
