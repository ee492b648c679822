import { ApiError } from '#web/lib/api-client.ts'

/** Said only to whom it concerns, once it does: most people never write to so many. */
export const UNVERIFIED_ROOM =
  'Tant que votre adresse n’est pas vérifiée, vous pouvez écrire à 3 adresses différentes par jour, puis à 20 une fois vérifiée.'

/** Whether the server refuses one addressee more today. */
export function isOutOfRoom(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'too_many_addressees'
}
