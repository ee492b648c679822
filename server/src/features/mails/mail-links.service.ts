import type { MailLink } from '#contract/mail-links.ts'
import type { Preferences } from '#contract/subscriptions.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { maskEmail } from '#server/platform/mail/email-address.ts'
import type { MailContent } from '#server/platform/mail/mail-frame.ts'
import { openToken, sealToken } from '#server/platform/sealing/sealed-text.ts'
import type { Stoppable, Stops } from './mails.rules.ts'
import { choosePreferences, getPreferences } from './preferences.service.ts'
import { isSuppressed, suppressAddress, unsuppressAddress } from './suppression.service.ts'

const PURPOSE = 'mail-links'

/** What the links of a mail know by themselves: they work when the mail, and whoever caused it, are long gone. */
export interface MailFacts {
  mailId: string
  address: string
  stops: Stoppable
  /** Whose account it went to, if it was one of ours. */
  userId: string | null
  /** The revelation of somebody else that it was about. */
  revelationId: string | null
}

function mailTokenFor(ctx: AppContext, facts: MailFacts): string {
  const { mailId, address, stops, userId, revelationId } = facts
  const sealed = [mailId, address, stops, userId, revelationId]
  return sealToken(ctx.keyring.secretFor(PURPOSE), PURPOSE, sealed)
}

/** What a mail’s links are about; `link_expired` for any text that is no token of ours. */
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

/** How its reader stops such mails, by a click of the mail program (RFC 8058) or on a page, and reports what it is about. */
export function wayOut(
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
        label: 'Ne plus recevoir ces mails',
        url: `${publicUrl}/ne-plus-recevoir#jeton=${token}`,
      },
      ...reportable.map(({ revelationId, title }) => ({
        label: title ? `Signaler «\u00A0${title}\u00A0»` : 'Signaler ce mail',
        url: `${publicUrl}/signaler#jeton=${tokenOf(revelationId)}`,
      })),
    ],
  }
}

/** What the page says before anything is stopped. */
export async function describeMail(ctx: AppContext, facts: MailFacts): Promise<MailLink> {
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

/** Stops the mails that this one was an example of; doing it again changes nothing. */
export async function stopMails(ctx: AppContext, facts: MailFacts): Promise<void> {
  if (facts.stops === 'everything') await suppressAddress(ctx, facts.address, 'unsubscribed')
  else await turn(ctx, facts, facts.stops, false)
}

/** Takes them again; an address that took none at all takes all again. */
export async function resumeMails(ctx: AppContext, facts: MailFacts): Promise<void> {
  await unsuppressAddress(ctx, facts.address)
  if (facts.stops !== 'everything') await turn(ctx, facts, facts.stops, true)
}

type Kind = Exclude<Stoppable, 'everything'>

function switchesOf(stops: Kind): readonly (keyof Preferences)[] {
  return stops === 'activity' ? ['newComments', 'newReactions'] : [stops]
}

async function turn(
  ctx: AppContext,
  { userId }: MailFacts,
  stops: Kind,
  isOn: boolean,
): Promise<void> {
  if (!userId) return
  const choice = Object.fromEntries(switchesOf(stops).map((name) => [name, isOn]))
  await choosePreferences(ctx, userId, choice).catch((error) => {
    // An account that is gone gets no mail anyway.
    if (!isForeignKeyViolation(error)) throw error
  })
}
