import type { AppContext } from '#server/context.ts'
import type { Schedule } from '#server/platform/jobs/schedules.ts'
import { growLog } from './growth.service.ts'

/** Often, so that the first seal after a quiet while waits for no minute. */
export const growLogSchedule: Schedule<AppContext> = {
  name: 'grow-log',
  everyMs: 5_000,
  run: growLog,
}
