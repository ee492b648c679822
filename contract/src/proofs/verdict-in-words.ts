import { KIND_NOUNS, KINDS } from '../kinds.ts'
import type { Because, Facts, Step, StepName, StepState, Verdict } from './verdict.ts'

const TITLES: Readonly<Record<StepName, string>> = {
  format: 'La preuve',
  key: 'La clé du journal',
  checkpoint: 'Le point de contrôle',
  inclusion: 'L’inscription au journal',
  versions: 'L’historique',
  letter: 'Le titre, le texte et la date',
  file: 'Les fichiers',
  dates: 'Les dates',
  page: 'La page',
  audience: 'L’audience',
  continuity: 'La mémoire du journal',
}

/** What each step found; `{…}` are details of the step. */
const SENTENCES: Readonly<Record<Because, string>> = {
  readable: 'La preuve est complète et lisible.',
  unreadable:
    'Cette preuve est illisible, incomplète ou écrite autrement que ce format ne le prévoit.',
  'known key': 'La preuve porte la clé connue du journal {origin}.',
  'former key':
    'La preuve porte une ancienne clé du journal {origin}, remplacée le {date}\u202F; la nouvelle l’a reconnue.',
  'former key, not linked':
    'La preuve porte une ancienne clé du journal {origin}, remplacée le {date}\u202F: téléchargez-la de nouveau, elle portera celle d’aujourd’hui.',
  'former key used later': 'Cette ancienne clé a signé après avoir été remplacée.',
  'unknown key': 'Clé inconnue\u202F: quiconque peut en fabriquer une et dater ce qu’il veut.',
  'unknown key of the same origin':
    'Clé inconnue, sous le même nom de journal\u202F: si le site a changé de clé, son vérificateur d’aujourd’hui le sait.',
  'no key carried':
    'Ce vérificateur ne porte aucune clé\u202F: téléchargez-le du site dont vient la preuve.',
  'no log': 'Cette preuve ne nomme aucun journal.',
  'signed with a date': 'Il porte la signature du journal, datée du {date}.',
  'signed without a date':
    'Il porte la signature du journal\u202F; dans l’ancien format, il n’a pas de date.',
  'signed by its own key':
    'Il porte la signature de la clé que la preuve nomme, et que rien ici ne rattache au journal.',
  'not signed': 'La signature du point de contrôle n’est pas celle du journal.',
  'of another age':
    'Ce point de contrôle et cette inscription ne sont pas du même âge du journal\u202F: l’un des deux est faux.',
  'nothing signed yet': 'Le journal n’a pas encore signé de point de contrôle.',
  included:
    'Chaque version est inscrite au journal à sa place, à sa date, pour cette lettre et après celle qui la précède.',
  'last included':
    'Les versions montrées sont inscrites au journal, chacune à la place et à la date indiquées.',
  'included in its own log':
    'Les versions montrées sont inscrites dans le journal que la preuve apporte avec elle.',
  'not included':
    'Une version n’est pas inscrite au journal telle qu’elle est montrée\u202F: sa place, sa date, sa lettre ou la version d’avant ne sont pas celles qui y sont.',
  pending: 'La dernière version sera inscrite au journal dans la minute.',
  'in order': 'Les versions se suivent, de la création à la dernière, dans l’ordre de leurs dates.',
  'not in order': 'Les versions ne se suivent pas\u202F: il en manque une, ou leur ordre a changé.',
  'earlier ones asserted':
    'L’ancien format ne lie pas les versions d’avant à cette lettre\u202F: elles sont affirmées, non prouvées.',
  opened: 'Le titre, le texte, la date et leurs sels redonnent exactement l’empreinte scellée.',
  different:
    'Le titre, le texte, la date ou le sel ne redonnent pas l’empreinte scellée\u202F: quelque chose a changé depuis.',
  'still sealed':
    'La lettre est encore scellée\u202F: elle sera comparée à son empreinte dès qu’elle sera dévoilée.',
  'still sealed, envelope opened':
    'La lettre est encore scellée\u202F; son titre, sa date et son audience redonnent déjà l’empreinte.',
  'partly closed': 'Restent scellés dans cette preuve\u202F: {names}.',
  'not in the log yet':
    'La lettre sera comparée à son empreinte dès que celle-ci sera inscrite au journal.',
  'same file': 'Le fichier est, octet pour octet, celui qui a été scellé.',
  'same files': 'Les {count} fichiers sont, octet pour octet, ceux qui ont été scellés.',
  'named files':
    'Les fichiers donnés sont ceux que nomme cette preuve, dont rien d’autre ici ne dit qu’ils ont été scellés.',
  'another file':
    'Ce fichier n’est pas celui qui a été scellé. D’une image, le site ne donne à ses lecteurs qu’une copie\u202F: l’original est chez son auteur.',
  'file not given': 'Le fichier n’a pas été vérifié.',
  'files not given': 'Fichiers qui n’ont pas été vérifiés\u202F: {missing} sur {count}.',
  'copy shown':
    'L’image montrée est une copie, sans la position, l’appareil ni la date de la prise de vue\u202F: elle n’a pas été comparée. L’original scellé est chez son auteur, qui peut le montrer\u202F; la preuve en porte l’empreinte.',
  'copies shown':
    'Les {count} images montrées sont des copies, sans la position, l’appareil ni la date de la prise de vue\u202F: elles n’ont pas été comparées. Les originaux scellés sont chez leur auteur, qui peut les montrer\u202F; la preuve en porte les empreintes.',
  'copies among files':
    'Copies d’images, sans la position, l’appareil ni la date de la prise de vue, et non comparées\u202F: {copies} sur {count} fichiers. Les originaux scellés sont chez leur auteur, qui peut les montrer\u202F; la preuve en porte les empreintes. Les autres fichiers sont, octet pour octet, ceux qui ont été scellés.',
  'dates not contradicted':
    'Aucun point de contrôle daté ne contredit ces dates\u202F; elles restent la parole du site.',
  'dates unsigned':
    'Aucune date n’est signée dans l’ancien format\u202F: celle-ci est ce que le site a écrit.',
  'dates of its own': 'La preuve ne contredit pas ses propres dates.',
  'dated too early':
    'Cette version dit avoir été scellée le {date}, mais le point de contrôle du {other}, signé plus tard, ne la contenait pas\u202F: sa date est fausse.',
  'dated too late':
    'Cette version dit avoir été scellée le {date}, après le point de contrôle du {other} qui la contient déjà\u202F: sa date est fausse.',
  'clock behind': 'Le journal est daté de l’avenir, d’après l’horloge de cet appareil.',
  'shown as proved': 'La page affiche exactement ce que dit la preuve\u202F: {names}.',
  'shown otherwise':
    'La page n’affiche pas ce que dit la preuve\u202F: {names}. L’un des deux a changé.',
  'audience as logged': 'L’audience affichée est celle que le journal porte.',
  'audience not logged':
    'L’audience affichée n’est pas celle que le journal porte\u202F: elle a été changée sans inscription.',
  'only grown':
    'Le journal contient toujours, inchangé, tout ce que contenait le point de contrôle déjà rencontré.',
  rewritten:
    'Ce point de contrôle et celui déjà rencontré ne peuvent pas appartenir au même journal\u202F: son passé a été réécrit.',
  shrunk:
    'Le journal signé le {date} avait {larger} inscriptions, et plus tard, le {other}, il n’en a que {smaller}\u202F: il a été vidé ou remplacé.',
  emptied: 'Cette preuve n’a pas de point de contrôle, alors que ce journal en a déjà signé un.',
  'key changed': 'Le journal a changé de clé sans que l’ancienne ait signé la nouvelle.',
  'contradicted before':
    'Ce journal s’est contredit le {date}\u202F: les deux points de contrôle sont gardés ici.',
  'another log before':
    'Ce site montrait avant un autre journal, {before}\u202F: rien ne relie celui-ci à lui.',
  'not answered':
    'Le journal n’a pas répondu\u202F: le point de contrôle gardé depuis le {date} reste en mémoire, et le nouveau attend d’être relié à lui.',
  'not answered for long':
    'Le journal ne répond pas depuis le {date} ({tries} fois)\u202F: tant qu’il se tait, rien ne relie ces deux points de contrôle.',
}

export type Mark = 'proved' | 'failed' | 'later' | 'neutral'

const MARKED = {
  passed: { mark: 'proved', label: 'Vérifié' },
  failed: { mark: 'failed', label: 'Ne concorde pas' },
  later: { mark: 'later', label: 'Pas encore' },
} as const satisfies Record<StepState, { mark: Mark; label: string }>
/** In a proof that proves nothing, what was computed is no proof of anything. */
const RECOMPUTED = { mark: 'neutral', label: 'Recalculé' } as const
/** The dates stay the word of the site. */
const NOT_CONTRADICTED = { mark: 'neutral', label: 'Non contredit' } as const

/** How a step is shown: green, `proved`, only where it proves something. */
export function markOf(
  { name, state }: Step,
  { facts }: Pick<Verdict, 'facts'>,
): { mark: Mark; label: string } {
  if (state !== 'passed') return MARKED[state]
  if (!facts) return RECOMPUTED
  return name === 'dates' ? NOT_CONTRADICTED : MARKED.passed
}

type FormatInstant = (instant: string) => string

const INSTANTS = ['date', 'other']

export function titleOf(name: StepName): string {
  return TITLES[name]
}

export function sentenceOf({ because, detail = {} }: Step, formatInstant: FormatInstant): string {
  return SENTENCES[because].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = detail[name] ?? ''
    return INSTANTS.includes(name) && value !== '' ? formatInstant(value) : value
  })
}

/**
 * What there is to say of a verdict, the headline first. It promises no more than was computed. `areHeldGiven`: whoever
 * verifies has just given the checkpoints that were not carried; since when they keep them nobody here knows.
 */
export function verdictInWords(
  verdict: Verdict,
  formatInstant: FormatInstant,
  { areHeldGiven = false } = {},
): string[] {
  const { facts } = verdict
  if (!facts) return [headlineWithoutFacts(verdict), ...wrongInWords(verdict)]
  const headline =
    verdict.state === 'proved' ? headlineOf(facts, formatInstant) : headlineOfPart(verdict)
  return [
    headline,
    audienceInWords(facts, formatInstant),
    ...(isKindWorthSaying(facts) ? kindInWords(facts, formatInstant) : []),
    ...heldInWords(facts, formatInstant, areHeldGiven),
  ]
}

/** The date of a checkpoint is the log’s word; when it came here, whoever verifies knows. */
function heldInWords(
  { heldSince, heldHereSince }: Facts,
  formatInstant: FormatInstant,
  areHeldGiven: boolean,
): string[] {
  if (heldSince === undefined) return []
  const dated = `que le journal a daté du ${formatInstant(heldSince)}`
  if (heldHereSince === undefined) {
    return [
      `Le point de contrôle venu avec ce vérificateur, et ${dated}, contenait déjà cette version.`,
    ]
  }
  const kept = areHeldGiven
    ? 'que vous avez donné'
    : `gardé ici depuis le ${formatInstant(heldHereSince)}, d’après l’horloge de cet appareil`
  return [`Un point de contrôle ${kept}, et ${dated}, contenait déjà cette version.`]
}

function headlineOf(
  { version, sealedAt, origin, isImmediate, format }: Facts,
  formatInstant: FormatInstant,
) {
  const date = formatInstant(sealedAt)
  if (isImmediate)
    return `Tout concorde, mais rien n’a attendu\u202F: publiée aussitôt (version ${version}), cette lettre a été inscrite le ${date}, date que seul le site ${origin} atteste.`
  const words = format === 1 ? 'Tout concorde, dans les mots de l’ancien format' : 'Tout concorde'
  return `${words}\u202F: cette lettre est celle qui a été scellée (version ${version})\u202F; la date, le ${date}, est celle que le site ${origin} a écrite, et lui seul l’atteste.`
}

const MISSING: Partial<Record<Because, string>> = {
  'still sealed': 'la lettre, encore scellée',
  'still sealed, envelope opened': 'la lettre, encore scellée',
  'file not given': 'le fichier',
  'files not given': 'des fichiers',
  'copy shown': 'l’original de l’image, qui est chez son auteur',
  'copies shown': 'les originaux des images, qui sont chez leur auteur',
  'copies among files': 'les originaux des images, qui sont chez leur auteur',
  'another log before': 'ce qui relie ce journal à celui que ce site montrait avant',
  'not answered': 'la réponse du journal',
  'not answered for long': 'la réponse du journal',
  'earlier ones asserted': 'les versions d’avant, que l’ancien format ne lie pas',
  'clock behind': 'une horloge à l’heure',
}

function headlineOfPart({ steps }: Verdict): string {
  const missing = steps
    .filter(({ state }) => state === 'later')
    .map(({ because, detail }) =>
      because === 'partly closed'
        ? `une partie encore scellée (${detail?.names ?? ''})`
        : (MISSING[because] ?? ''),
    )
  return `Ce qui peut être vérifié maintenant concorde\u202F; il manque ${missing.join(', ')}.`
}

const UNPROVED: Partial<Record<Because, string>> = {
  'no log': 'Rien n’est prouvé\u202F: cette preuve n’a ni journal ni clé.',
  'no key carried': 'Rien n’est prouvé\u202F: ce vérificateur ne porte aucune clé.',
  'known key':
    'Rien n’est encore prouvé\u202F: la dernière version sera inscrite au journal dans la minute.',
  'former key, not linked':
    'Rien n’est prouvé\u202F: la clé de cette preuve n’est plus celle du journal.',
}

function headlineWithoutFacts({ state, steps }: Verdict): string {
  if (state === 'failed') return 'Quelque chose ne concorde pas.'
  const key = steps.find(({ name }) => name === 'key')
  return (key && UNPROVED[key.because]) ?? 'Clé inconnue\u202F: rien n’est prouvé.'
}

/** What is wrong, by its name, before whoever reads all steps finds it. */
function wrongInWords({ steps }: Verdict): string[] {
  const wrong = steps.filter(({ state }) => state === 'failed').map(({ name }) => titleOf(name))
  return wrong.length > 0 ? [`À regarder\u202F: ${wrong.map(uncapitalized).join('\u202F; ')}.`] : []
}

function uncapitalized(title: string): string {
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}`
}

const AUDIENCES: Readonly<Record<string, string>> = {
  public: 'de tous',
  friends: 'de la famille et des amis',
  family: 'du Cercle Privé',
  private: 'de son auteur et de ses destinataires',
}

/** Who could see it, and from when on, as the log holds it. */
export function audienceInWords(facts: Facts, formatInstant: FormatInstant): string {
  const { audiences, publicSince, isPublicFromSealing, isAudienceKnownFromStart } = facts
  const now = audiences.at(-1)
  const before = audiences.at(-2)
  if (!now) return 'L’ancien format ne dit pas qui pouvait la voir.'
  if (isPublicFromSealing) return 'Publique depuis son scellement.'
  if (publicSince === null) {
    const date = formatInstant(now.since)
    if (audiences.some(({ value }) => value === 'public'))
      return `Plus publique depuis le ${date}\u202F; visible ${namedBy(now.value)}.`
    return isAudienceKnownFromStart
      ? `Visible ${namedBy(now.value)}, et jamais publique jusqu’ici.`
      : `Visible ${namedBy(now.value)} depuis le ${date} au moins\u202F: l’ancien format ne dit rien d’avant.`
  }
  const since = formatInstant(publicSince)
  if (!before && !isAudienceKnownFromStart)
    return `Publique au moins depuis le ${since}\u202F: l’ancien format ne dit rien d’avant.`
  return `Publique depuis le ${since} seulement\u202F; avant, visible ${namedBy(before?.value ?? '')}.`
}

/** One that never changed goes without saying, but for what is to be judged. */
function isKindWorthSaying({ kinds, isKindKnownFromStart }: Facts): boolean {
  return !isKindKnownFromStart || kinds.length > 1 || kinds[0]?.value === 'prediction'
}

/** What it was sealed as, and since when it is called something else: nothing where no leaf says it. */
export function kindInWords(
  { kinds, isKindKnownFromStart }: Facts,
  formatInstant: FormatInstant,
): string[] {
  const [now, before] = [kinds.at(-1), kinds.at(-2)]
  if (!now) return []
  const name = kindNamed(now.value)
  const since = formatInstant(now.since)
  if (before) {
    const former = uncapitalized(kindNamed(before.value))
    return [`${name} depuis le ${since} seulement\u202F; avant, ${former}.`]
  }
  if (isKindKnownFromStart) return [`${name} depuis son scellement.`]
  return [`${name} au moins depuis le ${since}\u202F: le journal ne disait rien du genre avant.`]
}

export function kindNamed(value: string): string {
  const kind = KINDS.find((one) => one === value)
  return kind ? KIND_NOUNS[kind].name : `Genre «\u202F${value}\u202F»`
}

function namedBy(audience: string): string {
  return Object.hasOwn(AUDIENCES, audience)
    ? (AUDIENCES[audience] ?? '')
    : `selon «\u202F${audience}\u202F»`
}
