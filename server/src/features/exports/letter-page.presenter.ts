import { instantInWords } from '#contract/date-in-words.ts'
import { recipientFor } from '#server/features/access/access.rules.ts'
import type { ReadableLetter } from '#server/features/access/media-gate.service.ts'
import {
  filesToArchive,
  hasCopies,
  type WholeLetter,
} from '#server/features/revelations/whole-letters.service.ts'
import { listInWords, typeset } from '#server/platform/mail/mail-content.ts'
import { markup } from '#server/platform/mail/mjml.ts'
import {
  ABOUT_COPIES,
  figuresOf,
  fileWordsOf,
  ONCE_MORE,
  openingOf,
  voiceOf,
  writtenOn,
} from './archive-page.presenter.ts'
import type { ArchivedFiles } from './exports.presenter.ts'
import { proofPathOf, VERIFIER_PATH } from './exports.rules.ts'

/** A letter as its reader takes it home. */
export interface LetterToRead extends WholeLetter, Pick<ReadableLetter, 'relation'> {}

const DAMAGED = typeset('Cette lettre est endommagée : son texte n’a pas pu être lu.')

/** The letter on a page that a browser opens from the disk. */
export function writeLetterPage(letter: LetterToRead, files: ArchivedFiles): string {
  const { envelope, content, sealVoice } = letter
  return markup`${openingOf(envelope.title)}
<main>
<article class="whole"${writtenOn(letter)}>
<h1>${envelope.title}</h1>
<p class="facts">${namesOf(letter)}</p>
${
  content === undefined
    ? markup`<p class="missing">${DAMAGED}</p>`
    : markup`<div class="text">${content}</div>`
}
${figuresOf(letter, files)}
${fileWordsOf(letter)}
${sealVoice ? voiceOf(sealVoice, files.get(envelope.sealVoiceId ?? '')) : markup``}
<p class="facts">${datesOf(letter).map((line) => markup`${line}<br>`)}</p>
</article>
</main>
<footer>
<p>${typeset('La preuve de ce qui a été scellé :')} <a href="${proofPathOf(envelope.id)}">${proofPathOf(envelope.id)}</a>,
à donner à <a href="${VERIFIER_PATH}">${VERIFIER_PATH}</a>.
${typeset('Pour voir si un fichier a été abîmé :')} <code>sha256sum -c SHA256SUMS</code></p>
${hasCopies(letter) ? markup`<p>${typeset(ABOUT_COPIES)}</p>` : markup``}
</footer>
</body>
</html>
`.html
}

/** The same without any program but one that shows text. */
export function writeLetterText(letter: LetterToRead, files: ArchivedFiles): string {
  const { envelope, content, fileWords, sealVoice } = letter
  const paths = filesToArchive(letter).flatMap(({ mediaId, caption }) => {
    const archived = files.get(mediaId)
    if (archived?.state === 'pending') return [typeset(`Image en préparation : ${ONCE_MORE}`)]
    if (!archived || !('path' in archived)) return []
    const words = caption === null ? '' : ` (${caption})`
    return [typeset(`Fichier : ${archived.path}${words}`)]
  })
  const sealVoiceLines = sealVoice?.words
    ? [typeset(`Quand le sceau se brise : « ${sealVoice.words} »`)]
    : []
  return [
    envelope.title,
    namesOf(letter),
    '',
    content ?? DAMAGED,
    '',
    '—',
    ...paths,
    ...sealVoiceLines,
    ...datesOf(letter),
    ...(hasCopies(letter) ? ['', typeset(ABOUT_COPIES)] : []),
    ...(fileWords === null ? [] : ['', typeset('Ce qui est dit dans le fichier :'), fileWords]),
    '',
  ].join('\n')
}

/** The addresses are those that the page shows this reader in full (behaviour.md 2.5). */
function namesOf({ envelope, relation }: LetterToRead): string {
  const own = recipientFor(relation, envelope)
  const shown = relation.isAuthor ? envelope.recipients : own ? [own] : []
  const from = `De @${envelope.authorPseudo}`
  if (shown.length === 0) return from
  return `${from}, pour ${listInWords(shown.map(({ name, address }) => name ?? address))}`
}

function datesOf({ envelope }: LetterToRead): string[] {
  const { createdAt, updatedAt, revealAt, timeZone, version, commitment } = envelope
  const changed =
    version > 1 ? [`Modifiée le ${instantInWords(updatedAt, timeZone)} (version ${version})`] : []
  return [
    `Scellée le ${instantInWords(createdAt, timeZone)}`,
    ...changed,
    `Dévoilée le ${instantInWords(revealAt, timeZone)}`,
    `Empreinte du sceau : ${commitment.toString('hex')}`,
  ].map(typeset)
}
