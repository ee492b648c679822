import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = `${import.meta.dirname}/../../..`

/** Where sentences are written, but for mails and others that are typeset as they are made. */
const sources = globSync(
  [
    '{web,contract}/src/**/*.{ts,tsx}',
    'web/verifier/*.{ts,html}',
    'web/index.html',
    'server/src/features/**/*.ts',
    'server/src/http/*.ts',
    'server/src/seed/invent.ts',
  ],
  { cwd: root },
).filter(
  (path) =>
    !/\.test\.tsx?$|\.emails\.ts$|^web\/src\/test\/|(?:archive-page|export-page|letter-page|notifications|push-messages)\.presenter|decisions\.service/.test(
      path,
    ),
)

/** Sentences fixed to the letter, with their spaces and apostrophes (behaviour.md 12.3). */
const QUOTED = [
  'Création en cours...',
  "Erreur lors de l'achat de stockage",
  "Erreur lors de l'envoi de la demande",
  "Erreur lors de l'envoi du commentaire",
  "Erreur lors du chargement de l'abonnement",
  "Erreur réseau lors de l'upload",
  "Impossible d'accéder au microphone.",
  'Initialisation...',
  "L'email du destinataire est requis",
  'Lien copié dans le presse-papiers !',
  "Retour à l'accueil",
  'Révélé !',
  "Timeout - l'upload a pris trop de temps",
  "Vous n'êtes pas autorisé à modifier cette révélation",
  "Vue d'ensemble",
  "Vérification de l'authentification...",
  'de votre famille ?',
  'Êtes-vous sûr de vouloir supprimer ce son ?',
  'Êtes-vous sûr de vouloir supprimer cette relation ?',
  'Êtes-vous sûr de vouloir supprimer cette révélation ?',
]

const FAULTS = [
  { fault: 'a space that breaks before « : ; ! ? »', found: / (?=[:;!?»](?:[\s)»]|$))/ },
  { fault: 'a space that breaks after «', found: /« / },
  {
    fault: 'a space that breaks before a unit',
    found:
      /[\d}] (?=(?:[KMGT]?o|s|h|min|%|€|(?:seconde|minute|heure|jour|pixel)s)(?![-\p{L}\d’]))/u,
  },
  { fault: 'a space that breaks inside a number', found: /\b\d{1,3} \d{3}(?= \p{L}{3})/u },
  { fault: 'an escape, which an attribute of JSX shows as it is', found: /\\u(?:00a0|202f)/i },
  { fault: 'a straight apostrophe', found: /\p{L}'\p{L}/u },
  { fault: 'three dots for an ellipsis', found: /\p{L}\.\.\./u },
]

test('every sentence has the spaces, apostrophes and dots of French', () => {
  const texts = sources.flatMap((path) => textsOf(path, readFileSync(`${root}/${path}`, 'utf8')))
  expect(texts.length).toBeGreaterThan(1000)
  const faults = texts.flatMap(({ place, text }) =>
    FAULTS.filter(({ found }) => found.test(text)).map(
      ({ fault }) => `${place}: ${fault}: ${text}`,
    ),
  )
  expect(faults).toEqual([])
})

test('what the specification quotes is still said to the letter', () => {
  const everything = sources.map((path) => readFileSync(`${root}/${path}`, 'utf8')).join('\n')
  expect(QUOTED.filter((sentence) => !everything.includes(sentence))).toEqual([])
})

interface Text {
  place: string
  text: string
}

/** What is written in a file for people or for machines, code left out, with « } » where a value comes. */
function textsOf(path: string, source: string): Text[] {
  if (path.endsWith('.html'))
    return [{ place: path, text: unquoted(source.replace(/<[^>]*>/g, ' ')) }]
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const texts: Text[] = []
  const visit = (node: ts.Node) => {
    const text = textOf(node)
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
    if (text) texts.push({ place: `${path}:${line + 1}`, text: unquoted(text) })
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
  return QUOTED.reduce((rest, sentence) => rest.replaceAll(sentence, ''), flat)
}
