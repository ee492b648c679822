import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http, type RequestHandler } from 'msw'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Bytes, base64Of, hexOf } from '#contract/proofs/bytes.ts'
import { getConsistency, getLogKeys, getProof } from '#contract/proofs/endpoints.ts'
import { hashStream } from '#contract/proofs/file-hash.ts'
import { rememberedOf } from '#contract/proofs/log-memory.ts'
import type { AnyProof } from '#contract/proofs/proof.ts'
import { getRevelation, type LetterFile, recordView } from '#contract/revelations.ts'
import { fieldsWith, letterOf, proofV2Of, seal } from '#contract/test/letters.ts'
import { bytesFor, forkOf, itemOf, logOfItems, proofOf, TestLog } from '#contract/test/log.ts'
import { storedMemory } from '#web/features/proofs/log-memory-store.ts'
import { eventStream } from '#web/test/event-stream.ts'
import { answer, fakeServer, type Refusal, refusal } from '#web/test/fake-api.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anEnvelope, anOpenLetter, aPrediction, aUser } from '#web/test/samples.ts'

const log = logOfItems(40)
const fork = forkOf(20, 41)
const item = itemOf(10)
const proof = proofOf(log, item, 10)
const commitment = proof.versions[0]?.commitment ?? ''
const { id, title, content, authorId, revealAt } = item.facts
const shown = {
  ...{ id, title, commitment, content, prediction: null },
  ...{ author_id: authorId, created_at: item.sealedAt, reveal_date: revealAt },
}

beforeAll(() => import('./detail-page.tsx'))
beforeEach(() => localStorage.clear())

interface Answers {
  /** What the page shows. */
  shown?: Partial<Parameters<typeof anOpenLetter>[0]>
  isSealed?: boolean
  key?: string
  /** The log that answers; or that it does not. */
  consistency?: TestLog | Refusal
  events?: RequestHandler
}

/** Opens the page of the item and asks for its verification; answers the panel. */
async function verify(answered: AnyProof, answers: Answers = {}): Promise<HTMLElement> {
  const { consistency = log, key = log.key, isSealed = false, events } = answers
  const said = { ...shown, ...answers.shown }
  const { content: _, ...envelope } = said
  const revelation = isSealed ? anEnvelope(envelope) : anOpenLetter(said)
  const user = renderPage(`/revelation/${id}`, {
    ...(events && { user: aUser() }),
    api: [
      ...(events ? [events] : []),
      answer(getRevelation, { revelation }),
      answer(recordView, { views_count: 1 }),
      answer(getProof, answered),
      answer(getLogKeys, { origin: log.origin, key, statement: null, statements: [] }),
      answer(getConsistency, ({ query }) => {
        if (!(consistency instanceof TestLog)) return consistency
        const [from, to] = [Number(query.from), Number(query.to)]
        return { from, to, hashes: consistency.consistency(from, to).map(base64Of) }
      }),
    ],
  })
  await user.click(await screen.findByRole('button', { name: 'Le sceau' }))
  await user.click(await screen.findByRole('button', { name: 'Vérifier' }))
  const panel = screen.getByRole('region', { name: 'Le sceau' })
  await within(panel).findByRole('button', { name: 'Télécharger la preuve' })
  return panel
}

/** What this browser holds against the log. */
function remembered() {
  return rememberedOf(storedMemory.read() ?? { version: 2, logs: {} }, log.origin)
}

function hold(of: TestLog, size: number): void {
  const one = { key: of.key, note: of.checkpoint(size), source: 'met' as const, since: NOW }
  const ofLog = { keys: [of.key], held: [one], unproven: [], contradictions: [] }
  storedMemory.write({ version: 2, logs: { [of.origin]: ofLog } })
}

const NOW = '2026-11-26T10:00:00.000Z'

test('an open letter is recomputed here, step by step, and its checkpoint is held', async () => {
  const panel = within(await verify(proof))
  panel.getByText(/^Tout concorde.*cette lettre est celle qui a été scellée.*lui seul l’atteste/)
  expect(panel.getAllByText(/^Vérifié/)).toHaveLength(7)
  expect(panel.getByText(/^Non contredit/).closest('li')?.textContent).toContain('Les dates')
  panel.getByText('Ce que dit la preuve')
  panel.getByText(/Inscription n° 11 au journal/i)
  panel.getByText(/^Version 1, scellée le .* UTC\)?$/)
  expect(remembered().held.map(({ note }) => note)).toEqual([log.checkpoint()])
})

test('a proof of another key than the site’s is never green', async () => {
  const own = new TestLog(log.origin, bytesFor('a key of one’s own'))
  own.levels.splice(0, 1, ...log.levels)
  const panel = within(await verify(proofOf(own, item, 10)))
  panel.getByText('Clé inconnue : rien n’est prouvé.')
  panel.getByText('Ce que cette preuve affirme')
  expect(panel.queryByText('Ce que dit la preuve')).toBeNull()
  expect(panel.queryAllByText(/^Vérifié/)).toHaveLength(0)
  expect(remembered().held).toEqual([])
})

test('a log under another name than the one that this browser was shown before is not taken for it', async () => {
  hold(new TestLog('revelations.example/journal-1'), 0)
  const panel = within(await verify(proof))
  panel.getByText(/il manque ce qui relie ce journal à celui que ce site montrait avant\.$/)
  panel.getByText(/^Ce site montrait avant un autre journal, revelations\.example\/journal-1/)
})

test.each([
  ['le texte', { content: `${content} Ou presque.` }],
  ['le titre', { title: 'Un autre titre' }],
  ['l’auteur', { author_id: itemOf(11).facts.authorId }],
  ['la date du scellement', { created_at: '2026-11-22T00:00:00.000Z' }],
])('the page is compared with the proof: %s', async (name, other) => {
  const panel = within(await verify(proof, { shown: other }))
  panel.getByText('Quelque chose ne concorde pas.')
  panel.getByText(`La page n’affiche pas ce que dit la preuve : ${name}. L’un des deux a changé.`)
})

test('a verdict leaves with what it was about: the page that shows something else says nothing of it', async () => {
  const { handler, streams } = eventStream()
  const panel = within(await verify(proof, { events: handler }))
  panel.getByText(/^Tout concorde/)
  const revelation = anOpenLetter({ ...shown, content: 'Je n’ai jamais dit cela.' })
  fakeServer.use(answer(getRevelation, { revelation }))
  await waitFor(() => expect(streams.at(-1)?.watched).toEqual([id]))
  streams.at(-1)?.send('revelation', { id, changed: ['state'] })
  await screen.findByText('Je n’ai jamais dit cela.')
  expect(panel.queryByText(/^Tout concorde/)).toBeNull()
  panel.getByRole('button', { name: 'Vérifier' })
})

test('before the instant it verifies what can be, and says what will be', async () => {
  const panel = within(await verify({ ...proof, opening: null }, { isSealed: true }))
  panel.getByText(
    'Ce qui peut être vérifié maintenant concorde ; il manque la lettre, encore scellée.',
  )
  panel.getByText(/Les versions montrées sont inscrites au journal/)
})

test('a letter of format 2 says who could see it and what it was sealed as, from when on', async () => {
  const bound = new TestLog()
  const letter = letterOf('le pari')
  const kind = (value: string) => ({ kind: { type: 'text', value } as const })
  const private_ = { audience: { type: 'text', value: 'private' }, ...kind('letter') } as const
  const [first, second] = ['2026-11-22T10:00:00.000Z', '2026-11-25T10:00:00.000Z'] as const
  seal(bound, letter, { kind: 'create', version: 1, sealedAt: first, fields: fieldsWith(private_) })
  const { audience } = fieldsWith()
  if (!audience) throw new Error('No audience')
  const fields = { audience, ...kind('prediction') }
  seal(bound, letter, { kind: 'change', version: 1, sealedAt: second, fields })
  const panel = within(
    await verify(proofV2Of(bound, letter, { dated: { signedAt: NOW, v2From: 0 } }), {
      shown: {
        ...{ id: letter.id, author_id: letter.authorId, created_at: first, title: 'Le pari' },
        kind: 'prediction',
        content: 'Je parie que l’élan arrivera premier.',
        ...{ reveal_date: '2027-06-01T08:00:00.000Z', public_since: second },
        prediction: aPrediction({ counts: false }),
      },
    }),
  )
  panel.getByText(/^Tout concorde/)
  const line = panel.getByText(/^Scellée le .*· publique depuis le/)
  expect(line.textContent).toMatch(/le 22 novembre 2026 à .* UTC\)? · version.*depuis le 25 .* UTC/)
  expect(panel.getAllByText(/^Publique depuis le 25 novembre 2026 .* seulement/)).not.toEqual([])
  expect(
    panel.getAllByText(/^Prédiction depuis le 25 novembre 2026 .*avant, lettre\.$/),
  ).not.toEqual([])
  panel.getByText('L’audience affichée est celle que le journal porte.')
  screen.getByText(/^Hors bilan/)
})

const albumBytes = ['Le matin', 'Le soir'].map((text) => new TextEncoder().encode(text))
const albumHashes = await Promise.all(
  albumBytes.map((bytes) => hashStream(new Response(bytes).body as ReadableStream<Bytes>)),
)

describe('the files of an album', () => {
  const captions = ['Six heures', 'Tout le monde est resté']
  const sealedAt = '2026-11-22T10:00:00.000Z'
  const bound = new TestLog()
  const letter = letterOf('l’album')
  const files = albumHashes.map((hash, at) => ({ sha256: hexOf(hash), label: captions[at] ?? '' }))
  const fields = fieldsWith({ files: { type: 'files', value: files } })
  seal(bound, letter, { kind: 'create', version: 1, sealedAt, fields })
  const answered = proofV2Of(bound, letter, { dated: { signedAt: NOW, v2From: 0 } })

  /** The addresses of files that were read. */
  const readFiles: string[] = []

  function pageOf(
    order: readonly number[],
    said: readonly (string | undefined)[] = captions,
    copies: readonly number[] = [],
  ) {
    readFiles.length = 0
    const shownFiles = order.map((of, at) => ({
      ...{ url: `/api/secure-file/documents/${of}.pdf?token=un`, is_sealed: !copies.includes(of) },
      mobile_url: null,
      ...{ type: 'document', name: `${of}.pdf`, size: albumBytes[of]?.length ?? 0, duration: null },
      ...{ thumbnail: null, caption: said[at] ?? null },
    })) satisfies LetterFile[]
    const handlers = albumBytes.map((of, at) =>
      http.get(`*/api/secure-file/documents/${at}.pdf`, ({ request }) => {
        readFiles.push(new URL(request.url).pathname)
        return HttpResponse.arrayBuffer(of.buffer)
      }),
    )
    fakeServer.use(...handlers)
    return {
      ...{ id: letter.id, author_id: letter.authorId, created_at: sealedAt, title: 'Le pari' },
      ...{ content: 'Je parie que l’élan arrivera premier.', public_since: sealedAt },
      reveal_date: '2027-06-01T08:00:00.000Z',
      ...{
        file_type: 'document' as const,
        file_url: shownFiles[0]?.url ?? null,
        files: shownFiles,
      },
    }
  }

  test('are all read, each in its place', async () => {
    const panel = within(await verify(answered, { shown: pageOf([0, 1]) }))
    await panel.findByText('Les 2 fichiers sont, octet pour octet, ceux qui ont été scellés.')
    panel.getByText(/^Tout concorde/)
    panel.getByText('Fichier 2 (Tout le monde est resté), SHA-256')
  })

  test('are read but for the copy of a picture, which is neither right nor wrong', async () => {
    const panel = within(await verify(answered, { shown: pageOf([0, 1], captions, [1]) }))
    await panel.findByText(
      /^Copies d’images, sans la position.* : 1 sur 2 fichiers\. Les originaux/,
    )
    panel.getByText(/^Ce qui peut être vérifié maintenant concorde ; il manque les originaux/)
    panel.getByText(/^La page affiche exactement ce que dit la preuve : .*les fichiers/)
    expect(panel.queryByText(/^Tout concorde|^Quelque chose ne concorde pas/)).toBeNull()
    expect(readFiles).toEqual(['/api/secure-file/documents/0.pdf'])
  })

  test('are not offered to be read where all of them are copies', async () => {
    const panel = within(await verify(answered, { shown: pageOf([0, 1], captions, [0, 1]) }))
    await panel.findByText(/^Les 2 images montrées sont des copies, sans la position/)
    expect(panel.queryByText(/^Tout concorde|^Quelque chose ne concorde pas/)).toBeNull()
    expect(panel.queryByRole('button', { name: /^Vérifier les? / })).toBeNull()
    panel.getByText(/hors les images, qui sont ici des copies/)
    expect(readFiles).toEqual([])
  })

  test('tell of a caption that moved, also beside a copy', async () => {
    const shown = pageOf([0, 1], captions.toReversed(), [0, 1])
    const panel = within(await verify(answered, { shown }))
    await panel.findByText(/^La page n’affiche pas ce que dit la preuve : les fichiers/)
  })

  test.each([
    ['a caption beside another file', [0, 1], captions.toReversed()],
    ['another order, with the captions in place', [1, 0], captions],
    ['a file too few', [0], captions],
  ])('are not those that were sealed with %s', async (_, order, said) => {
    const panel = within(await verify(answered, { shown: pageOf(order, said) }))
    await panel.findByText(
      'La page n’affiche pas ce que dit la preuve : les fichiers. L’un des deux a changé.',
    )
    expect(panel.queryByText(/^Tout concorde/)).toBeNull()
  })
})

describe('the log', () => {
  test('that only grew since the last visit is the same log', async () => {
    hold(log, 12)
    const panel = within(await verify(proof))
    panel.getByText(/contient toujours, inchangé/)
    expect(remembered().held).toHaveLength(2)
  })

  test('that does not answer takes nothing away, and its fork is told at the next visit', async () => {
    hold(log, 12)
    const forked = proofOf(fork, item, 10, 40)
    const silent = within(await verify(forked, { consistency: refusal('unexpected') }))
    silent.getByText(/^Le journal n’a pas répondu.*reste en mémoire/)
    expect(silent.queryByText(/^Tout concorde/)).toBeNull()
    expect(remembered().held.map(({ note }) => note)).toEqual([log.checkpoint(12)])
    cleanup()

    hold(log, 30)
    const panel = within(await verify(forked, { consistency: fork }))
    panel.getByText(/ne peuvent pas appartenir au même journal.*réécrit/)
    panel.getByText('Le journal s’est contredit')
    panel.getByRole('button', { name: 'Télécharger les deux points de contrôle' })
    expect(remembered().held.map(({ note }) => note)).toEqual([log.checkpoint(30)])
    expect(remembered().contradictions.map(({ kind }) => kind)).toEqual(['fork'])
  })

  test('that contradicted itself once is never green here again', async () => {
    hold(fork, 40)
    await verify(proof)
    cleanup()
    const panel = within(await verify(proof))
    panel.getByText('Quelque chose ne concorde pas.')
    panel.getByText(/^Ce journal s’est contredit le .* sont gardés ici/)
  })

  test('that has another key, which the former one did not sign, is told', async () => {
    hold(log, 12)
    const own = new TestLog(log.origin, bytesFor('a key of one’s own'))
    own.levels.splice(0, 1, ...log.levels)
    const panel = within(await verify(proofOf(own, item, 10), { key: own.key }))
    panel.getByText('Le journal a changé de clé sans que l’ancienne ait signé la nouvelle.')
    expect(remembered().keys).toEqual([log.key])
  })

  test('that dates a letter of today to 1999 is told by any checkpoint from before', async () => {
    const bound = new TestLog()
    const [before, backdated] = [letterOf('d’avant'), letterOf('antidatée')]
    const fields = fieldsWith()
    seal(bound, before, { kind: 'create', version: 1, sealedAt: NOW, fields })
    const one = { key: bound.key, note: bound.checkpoint(1, { signedAt: NOW, v2From: 0 }) }
    const held = [{ ...one, source: 'met' as const, since: NOW }]
    const ofLog = { keys: [bound.key], held, unproven: [], contradictions: [] }
    storedMemory.write({ version: 2, logs: { [bound.origin]: ofLog } })
    const sealedAt = '1999-01-01T00:00:00.000Z'
    seal(bound, backdated, { kind: 'create', version: 1, sealedAt, fields })
    const answered = proofV2Of(bound, backdated, {
      dated: { signedAt: '2026-11-26T10:01:00.000Z', v2From: 0 },
    })
    const panel = within(await verify(answered, { consistency: bound }))
    panel.getByText(/^Cette version dit avoir été scellée le 1 janvier 1999.*sa date est fausse/)
    expect(panel.queryByText(/^Tout concorde/)).toBeNull()
    panel.getByText('Le journal s’est contredit')
    expect(remembered().contradictions.map(({ kind }) => kind)).toEqual(['dates'])
  })

  test('of which a former version held one checkpoint is still held to it', async () => {
    const stored = { key: log.key, checkpoint: fork.checkpoint(30) }
    localStorage.setItem('log_checkpoint', JSON.stringify(stored))
    const panel = within(await verify(proof))
    panel.getByText(/ne peuvent pas appartenir au même journal/)
    expect(remembered().held.map(({ note }) => note)).toEqual([fork.checkpoint(30)])
    expect(localStorage.getItem('log_checkpoint')).toBeNull()
  })

  test('cannot be held to anything where nothing can be stored, and the panel says so', async () => {
    localStorage.setItem('log_memory', JSON.stringify({ version: 3 }))
    const panel = within(await verify(proof))
    panel.getByText(/^Ce navigateur ne peut rien garder/)
    expect(localStorage.getItem('log_memory')).toBe(JSON.stringify({ version: 3 }))
  })
})
