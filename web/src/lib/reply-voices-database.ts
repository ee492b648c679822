/** Voices that were recorded on this device and not sent yet. Signing out deletes all of them. */
export const REPLY_VOICES_DATABASE = 'reply-voices'

export function deleteReplyVoices(): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(REPLY_VOICES_DATABASE)
}
