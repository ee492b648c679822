import type { MailLink } from '#contract/mail-links.ts'
import type { Preferences } from '#contract/subscriptions.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { maskEmail } from '#server/platform/mail/email-address.ts'
import type { MailContent } from '#server/platform/mail/mail-content.ts'
import { openToken, sealToken } from '#server/platform/sealing/sealed-text.ts'
import {
  getPreferences,
  isSuppressed,
  suppressAddress,
  unsuppressAddress,
  updatePreferences,
} from './mail-preferences.service.ts'
import type { Stoppable, Stops } from './mails.rules.ts'

const PURPOSE = 'mail-links'

/** The facts sealed in the links of a mail: they work after the mail, and the account that caused it, are deleted. */
export interface MailFacts {
  mailId: string
  address: string
  stops: Stoppable
  /** The account that received the mail, if there is one. */
  userId: string | null
  /** The revelation of another person that the mail was about. */
  revelationId: string | null
}

function mailTokenFor(ctx: AppContext, facts: MailFacts): string {
  const { mailId, address, stops, userId, revelationId } = facts
  const sealed = [mailId, address, stops, userId, revelationId]
  return sealToken(ctx.keyring.secretFor(PURPOSE), PURPOSE, sealed)
}

/** The facts in the token of a mail’s link; `link_expired` for any other text. */
export function readMailToken(ctx: AppContext, token: string): MailFacts {
  const sealed = openToken(ctx.keyring.secretFor(PURPOSE), PURPOSE, token)
  if (!sealed) throw new AppError('link_expired', { message: 'Ce lien n’est pas valable.' })
  const [mailId, address, stops, userId, revelationId] = sealed as [
    MailFacts['mailId'],
    MailFacts['address'],
    MailFacts['stops'],
    MailFacts['userId'],
    MailFacts['revelationId'],
  ]
  return { mailId, address, stops, userId, revelationId }
}

/** Creates what stops such mails, by a click of the mail program (RFC 8058) or on a page, and what reports this one. */
export function createMailLinks(
  ctx: AppContext,
  { stops, ...mail }: Omit<MailFacts, 'revelationId' | 'stops'> & { stops: Stops },
  reportable: readonly { revelationId: string; title: string | undefined }[],
): { headers: Record<string, string>; links: NonNullable<MailContent['links']> } {
  if (stops === 'nothing') return { headers: {}, links: [] }
  const { publicUrl } = ctx.config.http
  const tokenOf = (revelationId: string | null) =>
    mailTokenFor(ctx, { ...mail, stops, revelationId })
  const token = tokenOf(reportable.length === 1 ? (reportable[0]?.revelationId ?? null) : null)
  return {
    headers: {
      'List-Unsubscribe': `<${publicUrl}/api/email/unsubscribe?token=${token}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    links: [
      {
        label: 'Ne plus recevoir ces e-mails',
        url: `${publicUrl}/ne-plus-recevoir#jeton=${token}`,
      },
      ...reportable.map(({ revelationId, title }) => ({
        label: title ? `Signaler «\u202F${title}\u202F»` : 'Signaler cet e-mail',
        url: `${publicUrl}/signaler#jeton=${tokenOf(revelationId)}`,
      })),
    ],
  }
}

/** What the page shows before anything is stopped. */
export async function getMailLink(ctx: AppContext, facts: MailFacts): Promise<MailLink> {
  return {
    address: maskEmail(facts.address),
    stops: facts.stops,
    is_stopped: await isStopped(ctx, facts),
    can_report: facts.revelationId !== null,
  }
}

async function isStopped(ctx: AppContext, { address, stops, userId }: MailFacts): Promise<boolean> {
  if (await isSuppressed(ctx, address)) return true
  if (stops === 'everything' || !userId) return false
  const preferences = await getPreferences(ctx, userId)
  return switchesOf(stops).every((name) => !preferences[name])
}

/** Stops the mails of the kind of this one. Idempotent. */
export async function stopMails(ctx: AppContext, facts: MailFacts): Promise<void> {
  if (facts.stops === 'everything') await suppressAddress(ctx, facts.address, 'unsubscribed')
  else await setWanted(ctx, facts, facts.stops, false)
}

/** Undoes `stopMails`; an address that accepted none accepts all again. */
export async function resumeMails(ctx: AppContext, facts: MailFacts): Promise<void> {
  await unsuppressAddress(ctx, facts.address)
  if (facts.stops !== 'everything') await setWanted(ctx, facts, facts.stops, true)
}

type Kind = Exclude<Stoppable, 'everything'>

function switchesOf(stops: Kind): readonly (keyof Preferences)[] {
  return stops === 'activity' ? ['newComments', 'newReactions'] : [stops]
}

async function setWanted(
  ctx: AppContext,
  { userId }: MailFacts,
  stops: Kind,
  isWanted: boolean,
): Promise<void> {
  if (!userId) return
  const choice = Object.fromEntries(switchesOf(stops).map((name) => [name, isWanted]))
  await updatePreferences(ctx, userId, choice).catch((error) => {
    // The account was deleted: it gets no mail anyway.
    if (!isForeignKeyViolation(error)) throw error
  })
}
