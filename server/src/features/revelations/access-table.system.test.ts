import { describeAccessTable } from '#testing/access-table/access-table.ts'

// What an operator hides and shows again; `access-table.test.ts` has the states that no operator touched.
describeAccessTable([
  'a millisecond before the instant, hidden',
  'hours after the instant, shown again',
  'a day after the instant, hidden',
])
