import type { ReactNode } from 'react'

/** A link that helps after a refusal with this code. */
export type RefusalHelp = (code: string | undefined) => ReactNode

const CODES_OF_QUOTA: readonly (string | undefined)[] = [
  'too_many_uploads',
  'quota_exceeded',
  'address_unverified',
]

/** Whether abandoning another upload helps after such a refusal. */
export function isAboutQuota(code: string | undefined): boolean {
  return CODES_OF_QUOTA.includes(code)
}
