import type { DownloadableFile } from '#server/features/media/file-views.service.ts'
import type { WholeLetter } from '#server/features/revelations/whole-letters.service.ts'
import { typeset } from '#server/platform/mail/mail-content.ts'
import { type Markup, markup } from '#server/platform/mail/mjml.ts'
import type { ArchivedFile, ArchivedFiles } from './exports.presenter.ts'
import { FORMAT_PATH, hrefOf, VERIFIER_PATH } from './exports.rules.ts'

// What the pages of archives have in common: they need nothing but the files beside them.

/** The beginning of a page, up to what its body contains. */
export function openingOf(title: string): Markup {
  return markup`<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="script-src 'none'; object-src 'none'; form-action 'none'">
<title>${title}</title>
${STYLES}
</head>
<body>`
}

/** The paper and the ink of a letter, for its style. */
export function writtenOn({ stationery: { paper, ink } }: WholeLetter): Markup {
  return markup` data-paper="${paper}" data-ink="${ink}"`
}

export function voiceOf(
  { file, words }: NonNullable<WholeLetter['sealVoice']>,
  archived: ArchivedFile | undefined,
): Markup {
  const quotedWords = words === null ? '' : ` : « ${words} »`
  return markup`<p class="facts">${typeset(`À entendre quand le sceau se brise${quotedWords}`)}</p>
${fileOf(file, archived)}`
}

/** The files of a letter in their order, each with its caption. */
export function figuresOf({ files: album }: WholeLetter, files: ArchivedFiles): Markup[] {
  return album.map(({ mediaId, file, caption }) => {
    const shown = fileOf(file, files.get(mediaId))
    return caption === null
      ? shown
      : markup`<figure>${shown}<figcaption>${caption}</figcaption></figure>`
  })
}

/** Of a copy that was not rendered when the archive was written. */
export const ONCE_MORE = 'Téléchargez la lettre de nouveau dans un instant.'

export function fileOf(
  file: DownloadableFile | undefined,
  archived: ArchivedFile | undefined,
): Markup {
  const name = file?.name ?? 'sans nom'
  if (archived?.state === 'pending') {
    return markup`<p class="missing">${typeset(`Image en préparation : « ${name} ». ${ONCE_MORE}`)}</p>`
  }
  if (!archived || !('path' in archived)) {
    return markup`<p class="missing">${typeset(`Fichier manquant : « ${name} » est endommagé et n’a pas pu être lu.`)}</p>`
  }
  const href = hrefOf(archived.path)
  const cut =
    archived.state === 'incomplete'
      ? markup`<p class="missing">${typeset('Fichier manquant en partie : la suite est endommagée.')}</p>`
      : markup``
  return markup`${preview(file?.kind, href)}
<p><a href="${href}">${name}</a></p>${cut}`
}

/** What is said in a film or recording, folded below it. */
export function fileWordsOf({ fileWords }: WholeLetter): Markup {
  if (fileWords === null) return markup``
  return markup`<details><summary>Ce qui y est dit</summary><div class="text">${fileWords}</div></details>`
}

function preview(kind: DownloadableFile['kind'] | undefined, href: string): Markup {
  switch (kind) {
    case 'image':
      return markup`<p><img src="${href}" alt="" loading="lazy"></p>`
    case 'video':
      return markup`<p><video src="${href}" controls preload="none"></video></p>`
    case 'audio':
      return markup`<p><audio src="${href}" controls preload="none"></audio></p>`
    default:
      return markup``
  }
}

const ABOUT_RECEIPTS =
  'Le dossier « recus » garde le reçu de chaque lettre, telle que son auteur l’a scellée en dernier, avec le premier état signé du journal où elle est inscrite : il se vérifie comme une preuve.'

/** What a reader has of pictures, and what a verifier says of it. */
export const ABOUT_COPIES =
  'Les images du dossier « copies » sont des copies, sans la position, l’appareil ni la date de la prise de vue : ce ne sont pas les fichiers qui ont été scellés, et il n’y a pas à les donner au vérificateur. Les originaux sont chez l’auteur, qui peut les montrer ; la preuve en porte les empreintes.'

/** What an archive has besides proofs. */
export interface AboutArchive {
  hasReceipts: boolean
  hasCopies: boolean
}

/** How to check the proofs of an archive without a network. */
export function writeReadMe(
  { key, formatSha256, publicUrl }: { key: string; formatSha256: string; publicUrl: string },
  { hasReceipts, hasCopies }: AboutArchive,
): string {
  return [
    'Vérifier sans connexion, en trois étapes',
    '',
    `1. Décompressez l’archive, puis ouvrez ${VERIFIER_PATH} dans un navigateur. Il fonctionne sans réseau et n’envoie rien.`,
    typeset(
      '2. Donnez-lui un fichier du dossier « preuves », ou tous à la fois, dans « La preuve » : il dit de quelle lettre est chacun.',
    ),
    typeset(
      '3. Donnez-lui les fichiers du dossier « fichiers », s’il y en a, dans « Les fichiers de la révélation », puis lisez la première phrase de chaque verdict.',
    ),
    '',
    typeset(
      '« Tout concorde » : le texte que le vérificateur montre est celui qui a été scellé. Comparez-le à celui que vous avez lu ; les dates restent celles que le site a écrites. Toute autre phrase dit ce qui manque, ou que quelque chose a changé. Aucune preuve ne dit à qui la lettre est partie ni ce que disaient ses versions d’avant, et ni les voix ni les réponses n’y sont.',
    ),
    '',
    ...(hasCopies ? [typeset(ABOUT_COPIES), ''] : []),
    ...(hasReceipts ? [typeset(ABOUT_RECEIPTS), ''] : []),
    typeset(
      'Le vérificateur ne croit que cette clé ; il en montre les huit signes qui suivent le premier « + » :',
    ),
    key,
    `Comparez-la avec celle d’un e-mail de Révélations (pièce jointe preuve.txt) ou de la page ${publicUrl}/preuve.`,
    typeset(
      'Sans l’un ni l’autre, vous savez seulement que cette archive s’accorde avec elle-même : le vérificateur, la clé et les preuves en viennent.',
    ),
    '',
    typeset(
      `Le format est décrit dans ${FORMAT_PATH} : de quoi écrire son propre vérificateur. Son SHA-256 :`,
    ),
    formatSha256,
    '',
  ].join('\n')
}

const STYLES = markup`<style>
:root { color-scheme: light dark; --ground: #fbf6ec; --card: #fffdf8; --ink: #2b2336; --soft: #6b6175; --line: #e7ddcb; --wax: #921c2e; }
@media (prefers-color-scheme: dark) { :root { --ground: #17131f; --card: #211b2c; --ink: #f3ecdf; --soft: #b5aabf; --line: #3a3147; --wax: #f0a3ad; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 44rem; background: var(--ground); color: var(--ink); font: 1.0625rem/1.65 Georgia, 'Iowan Old Style', 'Times New Roman', serif; }
h1, h2 { line-height: 1.2; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 2rem; }
h2 { margin: 0 0 .25rem; font-size: 1.375rem; }
header img { width: 5rem; height: 5rem; border-radius: 50%; object-fit: cover; }
article { margin: 1.5rem 0; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .875rem; break-inside: avoid; }
[data-paper=laid] { --card: #f5f2e6; --line: #d8d0b8; --soft: #5c5266; }
[data-paper=kraft] { --card: #dfc8a4; --ink: #241b12; --soft: #4a3a28; --line: #bf9f70; --wax: #7a0f22; color: var(--ink); }
[data-ink=blue] > :is(h1, h2, .text) { color: light-dark(#172f86, #bfceff); }
@media (prefers-color-scheme: dark) { [data-paper=laid] { --card: #25211b; --line: #453d31; --soft: #c6bba8; } [data-paper=kraft] { --card: #38291a; --ink: #f6e8d0; --soft: #d6c3a4; --line: #5d472e; --wax: #ffaab4; } }
.sealed { border-left: .25rem solid var(--wax); }
.facts, footer { color: var(--soft); font-size: .9375rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
article > :last-child { margin-bottom: 0; }
.whole { break-inside: auto; }
.missing { color: var(--wax); font-weight: 600; }
a { color: var(--wax); overflow-wrap: anywhere; }
article img, video { max-width: 100%; border-radius: .5rem; }
audio { width: 100%; }
figure { margin: 1em 0; }
figcaption { color: var(--soft); font-size: .9375rem; overflow-wrap: anywhere; }
</style>`
