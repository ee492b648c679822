import { describeAccessTable, STATES } from '#testing/access-table/access-table.ts'

describeAccessTable(Object.keys(STATES) as (keyof typeof STATES)[])
