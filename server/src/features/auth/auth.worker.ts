import type { AppContext } from '#server/context.ts'
import type { ComposedMail, MailTemplate } from '#server/features/mails/mails.service.ts'
import { type Handler, handleJob } from '#server/platform/jobs/jobs.ts'
import { findLink, type LinkRow } from './account-links.repository.ts'
import { answerPasswordRequest, findActiveLink, tokenOfLink } from './account-links.service.ts'
import {
  addressWantedEmail,
  emailChangedEmail,
  emailChangeRequestedEmail,
  newAddressEmail,
  passwordChangedEmail,
  passwordLinkEmail,
  type Recipient,
  signInLockedEmail,
  verificationEmail,
} from './auth.emails.ts'
import { findUser, findUserByEmailKey, type UserRow } from './auth.repository.ts'
import { isCalendarTokenEnded } from './calendar-addresses.service.ts'
import { sendPasswordLink } from './passwords.service.ts'

export const authHandlers: readonly Handler<AppContext>[] = [
  handleJob(answerPasswordRequest, (ctx, { requestId }) => sendPasswordLink(ctx, requestId)),
]

function pageOf({ config }: AppContext, path: string): string {
  return `${config.http.publicUrl}${path}`
}

function recipientOf({ email, pseudo, emailVerifiedAt }: UserRow): Recipient {
  return { to: email, pseudo, isProved: emailVerifiedAt !== null }
}

/** Whether the reader of that address refused this account; they may choose its password all the same. */
function isRefused({ kind, emailKey }: LinkRow, { refusedEmailKeys }: UserRow): boolean {
  return kind !== 'reset_password' && refusedEmailKeys.includes(emailKey)
}

/** A mail that carries a link; none is sent once the link has ended. */
function linkMail(
  name: string,
  path: string,
  compose: typeof verificationEmail,
  composeForOther?: (owner: UserRow) => ComposedMail,
): MailTemplate {
  return {
    name,
    mailClass: 'links',
    async compose(tx, { subjectId }) {
      const link = await findActiveLink(tx, subjectId)
      const user = link && (await findUser(tx.db, link.userId))
      if (!user || isRefused(link, user)) return undefined
      const owner = composeForOther && (await findUserByEmailKey(tx.db, link.emailKey))
      if (owner && owner.id !== user.id) return composeForOther(owner)
      const url = `${pageOf(tx, path)}#jeton=${tokenOfLink(tx, link)}`
      const isProved = user.emailVerifiedAt !== null && user.emailKey === link.emailKey
      const recipient = { to: link.email, pseudo: user.pseudo, isProved }
      return compose(recipient, { url, expiresAt: link.expiresAt })
    },
  }
}

/** After a change of password, with a sentence if it ended the calendar’s address and there is no other yet. */
function passwordChangedMail(
  name: string,
  hasEndedFeed: typeof isCalendarTokenEnded,
): MailTemplate {
  return {
    name,
    mailClass: 'safety',
    async compose(tx, { subjectId, createdAt }) {
      const user = await findUser(tx.db, subjectId)
      if (!user) return undefined
      const forgottenUrl = pageOf(tx, '/mot-de-passe-oublie')
      const facts = { at: createdAt, forgottenUrl, isFeedEnded: await hasEndedFeed(tx, user.id) }
      return passwordChangedEmail(recipientOf(user), facts)
    },
  }
}

/** The address that another one replaces. */
async function previousRecipient(tx: AppContext, linkId: string): Promise<Recipient | undefined> {
  const link: LinkRow | undefined = await findLink(tx.db, { id: linkId })
  const user = link && (await findUser(tx.db, link.userId))
  if (!user || !link.previousEmail) return undefined
  return { to: link.previousEmail, pseudo: user.pseudo, isProved: link.previousProved }
}

/** The mails about the safety of an account. */
export const accountMails: readonly MailTemplate[] = [
  linkMail('verify-email', '/verification', verificationEmail),
  linkMail('reset-password', '/nouveau-mot-de-passe', passwordLinkEmail),
  linkMail('sign-in-locked', '/nouveau-mot-de-passe', signInLockedEmail),
  linkMail('change-email', '/verification', newAddressEmail, (owner) =>
    addressWantedEmail(recipientOf(owner)),
  ),
  passwordChangedMail('password-changed', async () => false),
  passwordChangedMail('password-changed-feed-ended', isCalendarTokenEnded),
  {
    name: 'email-change-asked',
    mailClass: 'safety',
    async compose(tx, { subjectId, createdAt }) {
      const recipient = await previousRecipient(tx, subjectId)
      const forgottenUrl = pageOf(tx, '/mot-de-passe-oublie')
      return recipient && emailChangeRequestedEmail(recipient, { at: createdAt, forgottenUrl })
    },
  },
  {
    name: 'email-changed',
    mailClass: 'safety',
    async compose(tx, { subjectId, createdAt }) {
      const recipient = await previousRecipient(tx, subjectId)
      return recipient && emailChangedEmail(recipient, { at: createdAt })
    },
  },
]
