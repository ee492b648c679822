import { factsOf } from './facts.ts'
import type { ReadProof } from './read-proof.ts'
import type { Facts, ShownPage, Step } from './verdict.ts'

/** What the page beside the proof shows, as far as the proof says anything of it: the very words, author and dates. */
export function checkPage(read: ReadProof, page: ShownPage | undefined): Step[] {
  if (!page) return []
  const facts = factsOf(read, undefined, [])
  const { id, authorId, version, title, kinds, revealAt, content, files } = facts
  const compared = [
    ['le titre', title, page.title.normalize('NFC')],
    ['le genre', kinds.at(-1)?.value, page.kind],
    ['le texte', content, page.content?.normalize('NFC')],
    ['les fichiers', ...filesBeside(files, page.files)],
    ['la date de dévoilement', revealAt, page.revealAt],
    ['l’auteur', authorId, page.authorId],
    ['l’identifiant', id ?? read.proof.revelation_id, page.id],
    ['la version', version, page.version],
    ['la date du scellement', read.leaves[0]?.sealedAt, page.sealedAt],
  ].filter(([, said, shown]) => said !== undefined && shown !== undefined)
  const others = compared.filter(([, said, shown]) => said !== shown)
  const names = (list: typeof compared) => list.map(([name]) => name).join(', ')
  return [
    others.length === 0
      ? step('passed', 'shown as proved', names(compared))
      : step('failed', 'shown otherwise', names(others)),
  ]
}

/** Both as one text each, without the hashes that the page does not tell; undefined where neither has a file. */
function filesBeside(
  said: Facts['files'],
  shown: ShownPage['files'],
): [said: string | undefined, shown: string | undefined] {
  if (!said || !shown || said.length + shown.length === 0) return [undefined, undefined]
  const told = said.map(({ sha256, label }, at) => [label, shown[at]?.sha256 && sha256])
  const seen = shown.map(({ sha256, label }) => [label.normalize('NFC'), sha256])
  return [JSON.stringify(told), JSON.stringify(seen)]
}

function step(state: Step['state'], because: Step['because'], names: string): Step {
  return { name: 'page', state, because, detail: { names } }
}
