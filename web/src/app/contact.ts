import { siteOrigin } from '#web/lib/site-address.ts'

/** Where to write about the licence: a mailbox of whichever site shows this page. */
export function licenceEmail(): string {
  return `licence@${new URL(siteOrigin()).hostname}`
}
