import { ApiError } from '#web/lib/api-client.ts'

/** Whether the server refuses one addressee more today; its sentence says how many there may be. */
export function isOutOfRoom(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'too_many_addressees'
}
