import { describeAccessTable } from '#testing/access-table/access-table.ts'

// One state on each side of the instant; `access-table.system.test.ts` has the others.
describeAccessTable(['a millisecond before the instant', 'at the very instant'])
