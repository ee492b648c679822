import { describeAccessTable, STATES } from '#test/access-table/access-table.ts'

describeAccessTable(Object.keys(STATES) as (keyof typeof STATES)[])
