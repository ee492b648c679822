import { PROOF_FORMAT } from '#contract/proofs/proof.ts'
import {
  addressWantedEmail,
  emailChangedEmail,
  emailChangeRequestedEmail,
  newAddressEmail,
  passwordChangedEmail,
  passwordLinkEmail,
  signInLockedEmail,
  verificationEmail,
} from '#server/features/auth/auth.emails.ts'
import {
  deliveredEmail,
  deliveryEmail,
  failedEmail,
  noticeEmail,
  sealedEmail,
} from '#server/features/deliveries/deliveries.emails.ts'
import type { DeliveryFacts } from '#server/features/deliveries/deliveries.rules.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import {
  activityEmail,
  newRevelationEmail,
  revealedEmail,
} from '#server/features/notifications/notifications.emails.ts'
import { dayBeforeEmail, instantEmail } from '#server/features/reminders/reminders.emails.ts'
import { answerEmail, replyEmail } from '#server/features/replies/replies.emails.ts'
import { contentMovedEmail, reportClosedEmail } from '#server/features/reports/reports.emails.ts'
import type { SignedReport, Target } from '#server/features/reports/reports.repository.ts'
import { receiptEmail } from '#server/features/revelations/receipts.emails.ts'
import type { Receipt } from '#server/features/revelations/receipts.service.ts'
import { voiceMessageOpenEmail } from '#server/features/voice-messages/voice-messages.emails.ts'

export const PUBLIC_URL = 'https://revelations.exemple.fr'

const ID = '5d0f2c64-6a2e-4a5e-9a55-0d6f4a1c2b3d'
const pageUrl = `${PUBLIC_URL}/revelation/${ID}`
const personalLink = `${pageUrl}#cle=Zm9vYmFyLWJhei1xdXV4LTEyMzQ1Njc4OTAtYWJjZGVm`
const timeZone = 'Europe/Brussels'
const revealAt = new Date('2027-06-12T22:00:00.000Z')
const sealedAt = new Date('2026-11-20T12:00:00.000Z')
const TITLE = 'Pour tes dix-huit ans, et pour tous les jours qui suivront'

const letter = {
  ...{ id: ID, revelationId: ID, title: TITLE, authorPseudo: 'élise.m' },
  ...{ address: 'denise@exemple.fr', addressKey: 'denise@exemple.fr', visibility: 'public' },
  ...{ kind: 'letter' },
  ...{ authorEmail: 'elise@exemple.fr', authorEmailKey: 'elise@exemple.fr' },
  ...{ revealAt, timeZone, sealedAt, createdAt: sealedAt },
} as DeliveryFacts & { createdAt: Date }
const toOneself = { ...letter, address: letter.authorEmail, addressKey: letter.authorEmailKey }
const person = { name: letter.authorPseudo }
const wantingReplies = { ...person, replyTo: letter.authorEmail }

const account = { to: 'elise@exemple.fr', pseudo: 'élise.m', isProved: true }
const link = { url: `${PUBLIC_URL}/verification#jeton=Zm9vYmFyLWJheg`, expiresAt: revealAt }
const change = { at: sealedAt, forgottenUrl: `${PUBLIC_URL}/mot-de-passe-oublie` }
const reader = { to: 'denise@exemple.fr', pageUrl }
const news = {
  ...letter,
  ...{ pageUrl, isRevealed: true },
  comments: { count: 3, people: 3, pseudos: ['alice', 'bruno'] },
  reactions: { count: 1, people: 1, pseudos: ['chloe'] },
}
const report = {
  ...{ target: 'revelation', createdAt: sealedAt, outcome: 'hidden' },
  closingReason: 'Elle montrait l’adresse de quelqu’un.',
} as SignedReport
const hidden = {
  ...{ kind: 'revelation', text: TITLE, createdAt: sealedAt },
  ...{ authorEmail: letter.authorEmail, authorPseudo: letter.authorPseudo },
} as Target

// As exported, it is longer; what is in it says proof.test.ts.
const receipt: Receipt = {
  proof: {
    format: PROOF_FORMAT,
    revelation_id: ID,
    key: null,
    checkpoint: null,
    versions: [],
    opening: null,
  },
  index: 11,
  checkpoint: {
    size: 12,
    root: Buffer.alloc(32),
    logKey: 'log+key',
    note: 'note',
    signedAt: sealedAt,
  },
}

/** Each kind of mail as it may leave, with the longest of what is optional in it. */
export const SAMPLE_MAILS: Record<string, ComposedMail> = {
  notice: noticeEmail(letter, {
    publicPage: pageUrl,
    person: wantingReplies,
    note: 'Garde ton samedi, et le suivant.\nJe t’expliquerai tout de vive voix : c’est promis !',
  }),
  'notice without a word': noticeEmail(letter, { publicPage: undefined, person, note: null }),
  delivery: deliveryEmail(letter, {
    personalLink,
    person: wantingReplies,
    note: 'Assieds-toi d’abord, et sers-toi quelque chose de chaud. Je pensais à toi en écrivant.',
  }),
  'delivery to oneself': deliveryEmail(toOneself, { personalLink, person, note: null }),
  sealed: sealedEmail(letter, { page: pageUrl, recipients: ['d•••@e•••.fr', 'p•••@g•••.com'] }),
  delivered: deliveredEmail(letter, {
    ...{ page: pageUrl, recipients: ['d•••@e•••.fr'], sentAt: revealAt },
  }),
  'delivery-failed': failedEmail(letter, {
    ...{ page: pageUrl, recipient: 'd•••@e•••.fr' },
    reason: 'L’adresse du destinataire n’existe pas ou n’existe plus.',
  }),
  'new-revelation': newRevelationEmail(letter, reader),
  'revelation-revealed': revealedEmail(letter, reader),
  activity: activityEmail([news], { ...reader, initial: 'élise.m' }),
  'reminder of the day before': dayBeforeEmail({ ...letter, ...reader, stops: 'nothing' }),
  'reminder of the instant': instantEmail({ ...letter, ...reader, stops: 'nothing' }),
  reply: replyEmail(letter, {
    ...{ from: '@denise', person: { name: 'denise' }, to: letter.authorEmail, pageUrl },
  }),
  'reply without an account': replyEmail(letter, {
    ...{ from: 'denise@exemple.fr', person: undefined, to: letter.authorEmail, pageUrl },
  }),
  answer: answerEmail(letter, { personalLink, person: wantingReplies }),
  'sound-open': voiceMessageOpenEmail({ ...letter, scheduledAt: revealAt }, reader),
  receipt: receiptEmail(
    { email: letter.authorEmail, pseudo: letter.authorPseudo },
    { ...letter, page: pageUrl },
    receipt,
  ),
  'verify-email': verificationEmail({ ...account, isProved: false }, link),
  'reset-password': passwordLinkEmail(account, link),
  'sign-in-locked': signInLockedEmail(account, link),
  'change-email': newAddressEmail({ ...account, isProved: false }, link),
  'address wanted': addressWantedEmail(account),
  'password-changed': passwordChangedEmail(account, { ...change, isFeedEnded: true }),
  'email-change-asked': emailChangeRequestedEmail(account, change),
  'email-changed': emailChangedEmail(account, change),
  'report closed': reportClosedEmail(report, { to: 'denise@exemple.fr', publicUrl: PUBLIC_URL }),
  'content hidden': contentMovedEmail('hidden', hidden, {
    ...{ reason: 'Elle montrait l’adresse de quelqu’un.', publicUrl: PUBLIC_URL },
  }),
}
