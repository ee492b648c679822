import { factsOf } from './facts.ts'
import type { ReadProof } from './read-proof.ts'
import type { ShownPage, Step } from './verdict.ts'

/** What the page beside the proof shows, as far as the proof says anything of it: the very words, author and dates. */
export function checkPage(read: ReadProof, page: ShownPage | undefined): Step[] {
  if (!page) return []
  const { id, authorId, version, title, kinds, revealAt, content } = factsOf(read, undefined, [])
  const compared = [
    ['le titre', title, page.title.normalize('NFC')],
    ['le genre', kinds.at(-1)?.value, page.kind],
    ['le texte', content, page.content?.normalize('NFC')],
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

function step(state: Step['state'], because: Step['because'], names: string): Step {
  return { name: 'page', state, because, detail: { names } }
}
