import { dayInWords } from '#contract/date-in-words.ts'
import type { Notification } from '#contract/notifications.ts'
import { oneLine, typeset } from '#server/platform/mail/mail-content.ts'
import { CROWD_MAX, pathOf } from './items.rules.ts'
import type { Item } from './items.service.ts'

export function presentNotification(item: Item): Notification {
  const { row, actor, people } = item
  return {
    id: row.id,
    kind: row.kind,
    text: sentenceOf(item),
    url: pathOf(row),
    revelation_id: row.revelationId,
    actor: actor ? { id: actor.id, pseudo: actor.pseudo, avatar_url: actor.avatarUrl } : null,
    count: people,
    created_at: row.createdAt.toISOString(),
    read_at: row.readAt?.toISOString() ?? null,
  }
}

/** A person’s title stays as they wrote it: the spaces of French are set around it. */
function sentenceOf(item: Item): string {
  const [before, after] = sentenceAround(item)
  const title = item.envelope ? oneLine(item.envelope.title) : ''
  if (after === undefined) return typeset(before)
  return `${typeset(`${before} « `)}${title}${typeset(` »${after}`)}`
}

/** The sentence before and after the title of its revelation; whole where it has none. */
function sentenceAround({ row, envelope, isOwn, actor, people }: Item): [string, string?] {
  const who = actor ? `@${actor.pseudo}` : 'Quelqu’un'
  switch (row.kind) {
    case 'letter_waiting':
      return isOwn
        ? ['La lettre que vous vous êtes adressée est ouverte et vous attend :', '.']
        : [`Une lettre de ${who} est ouverte et vous attend :`, '.']
    case 'letter_announced': {
      const day = envelope ? dayInWords(envelope.revealAt, envelope.timeZone) : ''
      return [`${who} a scellé une lettre pour vous :`, `, qui s’ouvrira le ${day}.`]
    }
    case 'reply':
      if (!isOwn) return [`${who} a répondu à votre mot sur`, '.']
      return actor ? [`${who} a répondu à`, '.'] : ['Une réponse vous attend sous', '.']
    case 'comment':
      return [`${crowdOf(who, people)} commenté`, '.']
    case 'reaction':
      return [`${crowdOf(who, people)} réagi à`, '.']
    case 'request':
      return row.requestType === 'family'
        ? [`${who} vous a envoyé une demande pour le Cercle Privé.`]
        : [`${who} vous a envoyé une demande d’ami.`]
    case 'request_accepted':
      return [`${who} a accepté votre demande.`]
    case 'revealed':
      return isOwn
        ? ['Votre révélation est ouverte :', '.']
        : [`La révélation de ${who} est ouverte :`, '.']
    case 'delivery_failed':
      return ['La remise de', ' a échoué.']
    case 'unopened':
      return ['Aucune nouvelle de', ' : rien ne dit qu’elle a été ouverte.']
    case 'moderation':
      return decisionOf(row)
  }
}

/** « @alice a », « @alice et une autre personne ont », « @alice et 3 autres ont ». */
function crowdOf(who: string, people: number): string {
  if (people < 2) return `${who} a`
  if (people === 2) return `${who} et une autre personne ont`
  return people < CROWD_MAX ? `${who} et ${people - 1} autres ont` : `${who} et bien d’autres ont`
}

function decisionOf({
  revelationId,
  isAboutComment,
  isAboutReply,
  isRestored,
}: Item['row']): [string, string?] {
  const state = isRestored ? ' est de nouveau visible.' : undefined
  if (isAboutComment)
    return ['Votre commentaire sous', state ?? ' a été masqué à la suite d’un signalement.']
  if (isAboutReply)
    return ['Votre réponse à', state ?? ' a été masquée à la suite d’un signalement.']
  if (revelationId === null)
    return [`Votre profil${state ?? ' a été masqué à la suite d’un signalement.'}`]
  return ['Votre révélation', state ?? ' a été masquée à la suite d’un signalement.']
}
