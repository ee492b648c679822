import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = `${import.meta.dirname}/../..`

/** Where sentences for people are written. */
const sources = globSync(
  [
    '{web,contract}/src/**/*.{ts,tsx}',
    'web/verifier/*.{ts,html}',
    'web/service-worker/**/*.ts',
    'web/index.html',
    'web/src/styles/*.css',
    'server/src/{features,http,platform/mail}/**/*.ts',
    'server/src/seed/invent.ts',
  ],
  { cwd: root },
).filter((path) => !/\.test\.tsx?$|^web\/src\/test\//.test(path))

/** Their spaces are set as they are made (`typeset`), or nobody but an operator reads them. */
const TYPESET =
  /\.emails\.ts$|(?:archive-page|export-page|letter-page|notifications|push-messages)\.presenter|decisions\.service|platform\/mail/

/** Sentences that the specification quotes: to the letter, with their words, spaces and apostrophes (behaviour.md 12.3). */
const QUOTED = [
  'Création en cours...',
  'Email requis',
  "Erreur lors de l'achat de stockage",
  "Erreur lors de l'envoi de la demande",
  "Erreur lors de l'envoi du commentaire",
  "Erreur lors du chargement de l'abonnement",
  "Erreur réseau lors de l'upload",
  "Impossible d'accéder au microphone.",
  'Format email invalide',
  'Initialisation...',
  "L'email du destinataire est requis",
  'Le contenu doit contenir au moins 10 caractères',
  'Le contenu est requis',
  'Le teaser dépasse la durée maximale autorisée',
  'Lien copié dans le presse-papiers !',
  "Retour à l'accueil",
  'Révélé !',
  'Messages Audio',
  "Timeout - l'upload a pris trop de temps",
  'Upload failed: ',
  'Upload terminé',
  "Vous n'êtes pas autorisé à modifier cette révélation",
  "Vue d'ensemble",
  "Vérification de l'authentification...",
  'de votre famille ?',
  'Êtes-vous sûr de vouloir supprimer ce son ?',
  'Êtes-vous sûr de vouloir supprimer cette relation ?',
  'Êtes-vous sûr de vouloir supprimer cette révélation ?',
]

/** Said with a word that is another thing’s elsewhere, each for its reason. */
const ALLOWED = [
  // What the product may say about the seal (behaviour.md 4.1), and the field whose errors are quoted.
  'Avant la date choisie, personne d’autre que vous ne peut ouvrir le contenu sur le site.',
  'Le contenu et le fichier sont conservés chiffrés',
  'Le contenu ne peut pas dépasser',
  // The page’s own content, for who skips its menu.
  'Aller au contenu',
  // The quoted name of a page, as the label of a button.
  'Messages audio',
]

const SPACES = [
  { fault: 'a space that breaks before « : ; ! ? »', found: / (?=[:;!?»](?:[\s)»]|$))/ },
  { fault: 'a space that breaks after «', found: /« / },
  {
    fault: 'a wide space where French has a narrow one, U+202F',
    found: /(?:\u00A0|&nbsp;)[:;!?»]|«(?:\u00A0|&nbsp;)/,
  },
  {
    fault: 'a space that breaks before a unit',
    found:
      /[\d}] (?=(?:[KMGT]?o|s|h|min|%|€|(?:seconde|minute|heure|jour|pixel)s)(?![-\p{L}\d’]))/u,
  },
  { fault: 'a space that breaks inside a number', found: /\b\d{1,3} \d{3}(?= \p{L}{3})/u },
]

const SIGNS = [
  { fault: 'an escape, which an attribute of JSX shows as it is', found: /\\u(?:00a0|202f)/i },
  { fault: 'a straight apostrophe', found: /\p{L}'\p{L}/u },
  { fault: 'three dots for an ellipsis', found: /\p{L}\.\.\./u },
  { fault: 'a point after an ellipsis', found: /…\.(?![.\w])/ },
  { fault: 'an address of which a part is masked', found: /[\p{L}}]•••@/u },
  {
    fault: 'a word that breaks inside: long addresses have `overflow-wrap: anywhere`',
    found: /\bbreak-all\b|\bhyphens-auto\b|hyphens: auto/,
  },
]

/** One word for one thing (docs/glossary.md). In sentences alone: code, SQL and English have words of their own. */
const WORDS = [
  { fault: 'say « e-mail »', found: word('e?mails?|courriels?|méls?') },
  { fault: 'say « extrait » or « aperçu »', found: word('teasers?') },
  { fault: 'say « envoi »', found: word('uploads?|téléversements?') },
  {
    fault: 'say « message vocal », or « enregistrement » in a letter',
    found: word('messages? audio'),
  },
  {
    fault: 'say « la lettre » for what is read',
    found: word('(?:le|du|au|son|leur|votre) contenu'),
  },
  {
    fault: 'say « lettre » or « révélation »',
    found: word('missives?|courriers?|billets?'),
  },
  {
    fault: 'say « sceller » and « ouvrir »',
    found: /(?<!\p{L})(?:(?:dé)?cachet|(?:dé)?verrouill)[eé]/iu,
  },
  { fault: 'say « compte à rebours »', found: word('countdown|timer') },
]

function word(pattern: string): RegExp {
  return new RegExp(`(?<![-\\p{L}\\d/.@])(?:${pattern})(?![-\\p{L}\\d/@=(_])`, 'iu')
}

/** By its accents, its small words or a label of one word: code, SQL and English have words of their own. */
const FRENCH =
  /[éèêàçùâîôûœ]|(?:^|[\s(«])(?:[Ll]e|[Ll]a|[Ll]es|[Uu]ne?|[Dd]es|[Dd]u|[Vv]ous|[Vv]otre|[Vv]os|[Cc]et?|[Cc]ette|[Cc]es|qui|que|[Pp]our|[Dd]ans|[Aa]vec|[Pp]ar|ne|pas|[Ss]ans|[Ss]ur|est|et|aux?)(?=[\s).,])|^(?:Emails?|Mails?|Courriel|Teaser|Upload|Messages? audio)$/

const SQL = /\b(?:select|update|delete|insert)\b/

test('every sentence has the spaces, apostrophes, dots and words of French', () => {
  const texts = sources.flatMap((path) => textsOf(path, readFileSync(`${root}/${path}`, 'utf8')))
  expect(texts.length).toBeGreaterThan(1000)
  const faults = texts.flatMap(({ path, place, text }) =>
    [
      ...(TYPESET.test(path) ? [] : SPACES),
      ...SIGNS,
      ...(FRENCH.test(text) && !SQL.test(text) ? WORDS : []),
    ]
      .filter(({ found }) => found.test(text))
      .map(({ fault }) => `${place()}: ${fault}: ${text.trim()}`),
  )
  expect(faults).toEqual([])
})

test('what the specification quotes is still said to the letter', () => {
  const everything = sources.map((path) => readFileSync(`${root}/${path}`, 'utf8')).join('\n')
  expect(QUOTED.filter((sentence) => !everything.includes(sentence))).toEqual([])
})

test('dates and durations are put into words in one place', () => {
  const theirs = /new Intl\.(?:DateTime|RelativeTime|Duration)Format|toLocale(?:Date|Time)String/
  const places = sources.filter((path) => theirs.test(readFileSync(`${root}/${path}`, 'utf8')))
  expect(places.toSorted()).toEqual([
    'contract/src/date-in-words.ts',
    // Asks whether a zone exists.
    'contract/src/sealing.ts',
    'contract/src/zoned-time.ts',
    'web/src/lib/dates.ts',
  ])
})

/** Words that have no plural, or one of their own; all others end with « s ». */
const PLURALS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'à avec de déjà depuis encore et jamais non pas place plus venir y'
      .split(' ')
      .map((word) => [word, word]),
  ),
  attend: 'attendent',
  était: 'étaient',
  'n’a': 'n’ont',
  'n’arrivera': 'n’arriveront',
  'n’est': 'ne sont',
  nouveau: 'nouveaux',
  'son fichier': 'leurs fichiers',
  'son jour': 'leur jour',
  vocal: 'vocaux',
}

test('the word for many is the plural of the word for one', () => {
  const pairs = sources.flatMap((path) =>
    [
      ...readFileSync(`${root}/${path}`, 'utf8').matchAll(
        /\b(?:counted|pluralize)\([^;]*?'([^']+)',\s*'([^']+)',?\s*\)/g,
      ),
    ].map(([, one = '', many]) => ({ path, one, many })),
  )
  expect(pairs.length).toBeGreaterThan(50)
  const pluralOf = (one: string) =>
    one.replace(/son [^ ]+|[^ ]+/g, (singular) => PLURALS[singular] ?? `${singular}s`)
  expect(pairs.filter(({ one, many }) => many !== pluralOf(one))).toEqual([])
})

interface Text {
  path: string
  /** The line of it, for who looks for a fault. */
  place: () => string
  text: string
}

/** What is written in a file for people or for machines, code left out, with « } » where a value comes. */
function textsOf(path: string, source: string): Text[] {
  const whole = (text: string) => [{ path, place: () => path, text }]
  if (path.endsWith('.css')) return whole(source.replace(/\/\*.*?\*\//gs, ''))
  if (path.endsWith('.html'))
    return whole(
      unquoted(source.replace(/<(?:style|script).*?<\/(?:style|script)>|<[^>]*>/gs, ' ')),
    )
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest)
  const texts: Text[] = []
  const visit = (node: ts.Node) => {
    const text = textOf(node)
    if (text && /\p{L}/u.test(text)) {
      const lineOf = () => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
      texts.push({ path, place: () => `${path}:${lineOf()}`, text: unquoted(text) })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return texts
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('}')
  if (!ts.isJsxElement(node) && !ts.isJsxFragment(node)) return undefined
  return node.children.map((child) => (ts.isJsxText(child) ? child.text : '}')).join('')
}

function unquoted(text: string): string {
  const flat = text.replace(/[ \n]+/g, ' ')
  return [...QUOTED, ...ALLOWED].reduce((rest, sentence) => rest.replaceAll(sentence, ''), flat)
}
