import { describeAccessTable } from '#testing/access-table/access-table.ts'

// One state on each side of the instant, and the one in which an operator overrules both.
describeAccessTable([
  'a millisecond before the instant',
  'at the very instant, shown again',
  'a day after the instant, hidden',
])
