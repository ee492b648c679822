import { dayInWords, instantInWords } from '#contract/date-in-words.ts'
import { KIND_NOUNS } from '#contract/kinds.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import type { PublicFacts } from '#server/features/auth/auth.rules.ts'
import type { WholeReply } from '#server/features/replies/own-replies.service.ts'
import type { OwnVoiceMessage } from '#server/features/voice-messages/voice-message-contents.service.ts'
import { listInWords, typeset } from '#server/platform/mail/mail-content.ts'
import { type Markup, markup } from '#server/platform/mail/mjml.ts'
import {
  figuresOf,
  fileOf,
  fileWordsOf,
  openingOf,
  voiceOf,
  writtenOn,
} from './archive-page.presenter.ts'
import type { AnsweredLetter, ArchivedFile, ArchivedFiles } from './exports.presenter.ts'
import { proofPathOf, VERIFIER_PATH } from './exports.rules.ts'

const ZONE = 'Europe/Brussels'

export interface PageFacts {
  user: PublicFacts & { email: string }
  now: Date
  hasAvatar: boolean
}

interface Readable {
  letters: AsyncIterable<AnsweredLetter[]>
  replies: AsyncIterable<WholeReply[]>
  sounds: AsyncIterable<OwnVoiceMessage[]>
}

/** All letters and voices on one page that needs nothing but the files beside it, a page of each list at a time. */
export async function* writePage(
  facts: PageFacts,
  files: ArchivedFiles,
  { letters: pages, replies, sounds }: Readable,
): AsyncGenerator<string> {
  yield headOf(facts).html
  let count = 0
  for await (const letters of pages) {
    count += letters.length
    for (const letter of letters) yield articleOf(letter, files, facts.now).html
  }
  for await (const page of replies) {
    for (const own of page) yield replyOf(own, files).html
  }
  for await (const page of sounds) {
    for (const own of page) yield soundOf(own, files.get(own.voiceMessage.mediaId)).html
  }
  yield footOf(count).html
}

function headOf({ user, now, hasAvatar }: PageFacts): Markup {
  const title = `Les révélations de @${user.pseudo}`
  const picture = hasAvatar ? markup`<img src="photo-de-profil.webp" alt="">` : markup``
  return markup`${openingOf(title)}
<header>${picture}<h1>${title}</h1>
<p>${typeset(`Exportées le ${dayInWords(now, ZONE)}, pour ${user.email}.`)}</p>
${user.bio ? markup`<p class="text">${user.bio}</p>` : markup``}</header>
<main>
`
}

function articleOf(letter: AnsweredLetter, files: ArchivedFiles, now: Date): Markup {
  const { envelope, content, sealVoice } = letter
  const opens = instantInWords(envelope.revealAt, envelope.timeZone)
  const isOpen = isRevealed(envelope, now)
  const addressees = envelope.recipients.map(({ name, address }) =>
    name === null ? address : `${name} (${address})`,
  )
  const { name } = KIND_NOUNS[envelope.kind]
  const when = isOpen ? `${name} dévoilée le ${opens}` : `${name} scellée jusqu’au ${opens}`
  return markup`<article${isOpen ? markup`` : markup` class="sealed"`}${writtenOn(letter)}>
<h2>${envelope.title}</h2>
<p class="facts">${typeset(when)}<br>Pour ${listInWords(addressees)}${envelope.hiddenAt ? typeset(' · Masquée par l’équipe de Révélations') : ''}</p>
${
  content === undefined
    ? markup`<p class="missing">${typeset('Cette lettre est endommagée : son texte n’a pas pu être lu.')}</p>`
    : markup`<div class="text">${content}</div>`
}
${figuresOf(letter, files)}
${fileWordsOf(letter)}
${sealVoice ? voiceOf(sealVoice, files.get(envelope.sealVoiceId ?? '')) : markup``}
${noteOf('Votre mot pour prévenir', letter.notes.announcement)}
${noteOf('Votre mot pour l’ouverture', letter.notes.opening)}
${letter.replies.map((received) => receivedOf(received, files))}
<p class="facts">${typeset('Sa preuve, à donner au')} <a href="${VERIFIER_PATH}">vérificateur</a>${typeset(' :')} <a href="${proofPathOf(envelope.id)}">${proofPathOf(envelope.id)}</a></p>
</article>
`
}

function noteOf(name: string, words: string | null): Markup {
  if (words === null) return markup``
  return markup`<p class="facts">${name}</p><div class="text">${words}</div>`
}

function receivedOf(received: WholeReply, files: ArchivedFiles): Markup {
  const { isNamed, writerPseudo, address, createdAt } = received.reply
  const from = isNamed ? `@${writerPseudo}` : address
  return markup`<p class="facts">${typeset(`Réponse de ${from}, le ${dayInWords(createdAt, ZONE)}`)}</p>
${wordsOf(received, files, 'Votre mot en retour')}`
}

/** What one wrote to the author of a letter, whose title may be hidden by now. */
function replyOf(own: WholeReply, files: ArchivedFiles): Markup {
  const day = dayInWords(own.reply.createdAt, ZONE)
  return markup`<article>
<h2>Une réponse à une lettre reçue</h2>
<p class="facts">${typeset(`Écrite le ${day}`)}</p>
${wordsOf(own, files, 'Le mot en retour')}
</article>
`
}

function wordsOf({ reply, words, voice }: WholeReply, files: ArchivedFiles, back: string): Markup {
  const ownText = [words?.emoji, words?.content].filter(Boolean).join('\n')
  const file = reply.mediaId === null ? markup`` : fileOf(voice, files.get(reply.mediaId))
  if (!words) {
    return markup`<p class="missing">${typeset('Cette réponse est endommagée : son texte n’a pas pu être lu.')}</p>${file}`
  }
  const answer =
    words.answer === null
      ? markup``
      : markup`<p class="facts">${back}</p><div class="text">${words.answer}</div>`
  return markup`${ownText === '' ? markup`` : markup`<div class="text">${ownText}</div>`}${file}${answer}`
}

function soundOf(own: OwnVoiceMessage, archived: ArchivedFile | undefined): Markup {
  const { voiceMessage, description } = own
  const isSealed = own.isSealed || archived?.state === 'sealed'
  const opens = instantInWords(
    voiceMessage.scheduledAt ?? voiceMessage.createdAt,
    voiceMessage.timeZone,
  )
  const when = isSealed ? `Scellé jusqu’au ${opens}` : `Ouvert le ${opens}`
  const to = voiceMessage.isShared
    ? 'Pour toute la famille'
    : `Pour ${voiceMessage.recipientPseudo ? `@${voiceMessage.recipientPseudo}` : 'une personne partie depuis'}`
  return markup`<article${isSealed ? markup` class="sealed"` : markup``}>
<h2>${voiceMessage.title}</h2>
<p class="facts">${typeset(`Message vocal · ${when}`)}<br>${to}</p>
${
  description === undefined
    ? markup`<p class="missing">${typeset('Ce message est endommagé : son texte n’a pas pu être lu.')}</p>`
    : markup`<div class="text">${description}</div>`
}
${
  isSealed
    ? markup`<p>${typeset('Personne ne peut l’écouter avant sa date : il sera dans un export fait après elle.')}</p>`
    : fileOf(own.file, archived)
}
</article>
`
}

function footOf(count: number): Markup {
  const letters =
    count === 0 ? 'Aucune révélation.' : count === 1 ? 'Une révélation.' : `${count} révélations.`
  return markup`</main>
<footer>
<p>${letters}</p>
<p>${typeset('Tout le reste (profil, relations, commentaires, réactions, livraisons…) est dans')} <a href="donnees.json">donnees.json</a>.
${typeset('Pour vérifier ces lettres :')} <a href="${VERIFIER_PATH}">${VERIFIER_PATH}</a>, comme le dit <a href="LISEZ-MOI.txt">LISEZ-MOI.txt</a>.
${typeset('Pour voir si un fichier a été abîmé :')} <code>sha256sum -c SHA256SUMS</code></p>
</footer>
</body>
</html>
`
}
