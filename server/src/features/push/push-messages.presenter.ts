import type { NotificationKind } from '#contract/notifications.ts'
import type { PushMessage } from '#contract/push.ts'
import { pathOf } from '#server/features/notifications/items.rules.ts'
import type { Item } from '#server/features/notifications/items.service.ts'

/** Shown on a locked screen, to whoever sees it: no name, no title, no number but how many wait. */
interface Words {
  title: string
  body: string
}

interface Message extends Words {
  path: string
  tag: string
}

export function pushMessage({
  title,
  body,
  path,
  tag,
  publicUrl,
  badge,
}: Message & { publicUrl: string; badge: number }): PushMessage {
  return {
    web_push: 8030,
    notification: { title, body, lang: 'fr', navigate: publicUrl + path, tag, silent: false },
    app_badge: badge,
  }
}

export const TRIAL: Words = {
  title: 'Vos notifications arrivent ici',
  body: 'Ceci est un essai. Rien d’autre à faire.',
}

const WORDS: Record<NotificationKind, Words> = {
  letter_waiting: { title: 'Une lettre vous attend', body: 'Son moment est venu.' },
  letter_announced: { title: 'Une lettre vous est annoncée', body: 'Elle s’ouvrira à sa date.' },
  reply: { title: 'Une réponse vous attend', body: 'Elle n’est que pour vous.' },
  comment: { title: 'Un nouveau commentaire', body: 'On parle de votre révélation.' },
  reaction: { title: 'Une nouvelle réaction', body: 'On réagit à votre révélation.' },
  request: { title: 'Une demande vous attend', body: 'Quelqu’un souhaite vous retrouver ici.' },
  request_accepted: { title: 'Votre demande est acceptée', body: 'Vous voilà proches ici aussi.' },
  revealed: { title: 'Une révélation est ouverte', body: 'Le moment choisi est venu.' },
  delivery_failed: {
    title: 'Une de vos lettres n’est pas arrivée',
    body: 'Son adresse est à vérifier.',
  },
  unopened: {
    title: 'Une de vos lettres reste sans nouvelles',
    body: 'Rien ne dit encore qu’elle a été ouverte.',
  },
  moderation: { title: 'Une décision vous concerne', body: 'Elle fait suite à un signalement.' },
}

const OWN_REVEAL: Words = {
  title: 'Votre révélation est ouverte',
  body: 'Le moment choisi est venu.',
}

export function newsMessage(item: Item): Message {
  const { row, isOwn } = item
  const words = row.kind === 'revealed' && isOwn ? OWN_REVEAL : WORDS[row.kind]
  const tag = REPEATABLE.includes(row.kind) ? row.kind : tagOf(row.revelationId ?? row.id, row.kind)
  return { ...words, path: pathOf(row), tag }
}

/** What one person may cause and withdraw as often as they like: the next one takes the place of the former. */
const REPEATABLE: readonly NotificationKind[] = ['letter_announced', 'request']

/** To whoever asked for it. */
export function reminderMessage(revelationId: string): Message {
  return {
    title: 'Une révélation que vous attendiez est ouverte',
    body: 'Le moment choisi est venu.',
    path: `/revelation/${revelationId}`,
    tag: tagOf(revelationId, 'revealed'),
  }
}

/** That a letter is open is one notification, whatever says so. */
function tagOf(subjectId: string, kind: NotificationKind): string {
  return `${kind === 'letter_waiting' ? 'revealed' : kind}/${subjectId}`
}
