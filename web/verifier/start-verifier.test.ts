import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hexOf, utf8 } from '#contract/proofs/bytes.ts'
import { evidenceOf } from '#contract/proofs/evidence.ts'
import { hashStream } from '#contract/proofs/file-hash.ts'
import { finish } from '#contract/proofs/in-steps.ts'
import { signLogKeys } from '#contract/proofs/known-log.ts'
import { fieldsWith, letterOf, proofV2Of, seal } from '#contract/test/letters.ts'
import { bytesFor, forkOf, itemOf, logOfItems, proofOf, TestLog } from '#contract/test/log.ts'
import { type Job, verifyingAll } from '#web/features/proofs/verify-all.ts'
import { startVerifier } from './start-verifier.ts'
import page from './verifier.html?raw'

const log = logOfItems(40)
const NOW = '2026-11-26T10:00:00.000Z'
const carried = {
  origin: log.origin,
  key: log.key,
  keys_note: null,
  checkpoint: log.checkpoint(30),
}

beforeEach(() => open(carried))
// What the page hears on the whole document, other files would hear too.
afterEach(() => {
  for (const [type, listener] of heard.splice(0)) document.removeEventListener(type, listener)
})

const heard: [type: string, listener: EventListenerOrEventListenerObject][] = []
const listen = document.addEventListener.bind(document)

/** The page as it was downloaded, carrying this log. */
function open(
  known: (Omit<typeof carried, 'keys_note'> & { keys_note: string | null }) | null,
): void {
  const [, body = ''] = /<body>(.*)<\/body>/s.exec(page) ?? []
  // A page opened anew has no listener of the last one.
  document.body.innerHTML = body.replace(/<script type="module">.*?<\/script>/s, '')
  const data = document.getElementById('known-log')
  if (data) data.textContent = JSON.stringify(known)
  const listening = vi.spyOn(document, 'addEventListener').mockImplementation((type, listener) => {
    heard.push([type, listener])
    listen(type, listener)
  })
  startVerifier()
  listening.mockRestore()
}

interface Given {
  name: string
  stream(): ReadableStream<Uint8Array>
  text(): Promise<string>
  size: number
}

function choose(id: string, files: readonly Given[]): void {
  const input = document.getElementById(id) as HTMLInputElement
  Object.defineProperty(input, 'files', { configurable: true, value: files })
  input.dispatchEvent(new Event('change'))
}

function fileOf(
  name: string,
  bytes: Uint8Array,
  until: Promise<unknown> = Promise.resolve(),
): Given {
  const stream = () =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await until
        controller.enqueue(bytes)
        controller.close()
      },
    })
  return { name, stream, size: bytes.length, text: async () => new TextDecoder().decode(bytes) }
}

function jsonFile(name: string, content: unknown): Given {
  return fileOf(name, utf8(JSON.stringify(content)))
}

function paste(text: string): void {
  const area = document.getElementById('met') as HTMLTextAreaElement
  area.value = text
  area.dispatchEvent(new Event('input'))
}

/** The first sentence of each verdict, without what sets its spaces. */
function headlines(): string[] {
  return [...document.querySelectorAll('.verdict')]
    .filter((one) => !one.closest('noscript'))
    .map((one) => plain(one.textContent))
}

function plain(text: string | null): string {
  return (text ?? '').replaceAll(/[\u202F\u00A0]/g, ' ')
}

function textOf(id: string): string {
  return plain(document.getElementById(id)?.textContent ?? '')
}

const proof = proofOf(log, itemOf(10), 10)

test('it says whose proofs it verifies, and by which key', () => {
  const id = log.key.split('+')[1]
  expect(textOf('known')).toBe(
    `Ce vérificateur vérifie les preuves de ${log.origin}. Il ne croit que la clé ${id}.`,
  )
})

test('a proof of the log that it carries is proved, with its author, id and date', async () => {
  choose('proof', [jsonFile('preuve.json', proof)])
  await expect.poll(headlines).toEqual([expect.stringMatching(/^Tout concorde/)])
  const said = textOf('result')
  expect(said).toContain('Ce que dit la preuve')
  expect(said).toMatch(/^Révélation « Prédiction n° 10 »/)
  expect(said).toContain(itemOf(10).facts.authorId)
  expect(said).toContain(itemOf(10).facts.id)
  expect(said).toMatch(/Version 1, scellée le .* UTC/)
  expect(said).toContain('Une version plus récente peut exister')
})

describe('an invented proof', () => {
  const own = new TestLog('revelations.example/log', bytesFor('a key of one’s own'))
  const letter = letterOf('invented')
  const fields = fieldsWith()
  seal(own, letter, { kind: 'create', version: 1, sealedAt: '1999-01-01T00:00:00.000Z', fields })
  const invented = proofV2Of(own, letter, { dated: { signedAt: NOW, v2From: 0 } })

  test.each([
    ['under the origin of the site', carried, 'Clé inconnue : rien n’est prouvé.'],
    [
      'read by a page without a key',
      null,
      'Rien n’est prouvé : ce vérificateur ne porte aucune clé.',
    ],
  ])('%s is never green', async (_, known, sentence) => {
    open(known)
    choose('proof', [jsonFile('preuve.json', invented)])
    await expect.poll(headlines).toEqual([sentence])
    expect(document.querySelector('.proved, li.passed')).toBeNull()
    expect(textOf('result')).toContain('Ce que cette preuve affirme')
    expect(textOf('result')).not.toContain('Ce que dit la preuve')
  })

  test('is not vouched for by the checkpoint that comes with it', async () => {
    choose('proof', [jsonFile('preuve.json', invented)])
    paste(invented.checkpoint ?? '')
    await expect.poll(headlines).toEqual(['Clé inconnue : rien n’est prouvé.'])
    expect(textOf('met-none')).toBe('Ce point de contrôle ne porte pas la signature du journal.')
  })
})

describe('files', () => {
  const [one, other] = [utf8('le fichier scellé'), utf8('un autre fichier')]

  async function proofsOfFiles() {
    const grown = new TestLog()
    const letters = ['le premier', 'l’autre'].map((name) => letterOf(name))
    for (const [at, letter] of letters.entries()) {
      const sha256 = hexOf(await hashStream(fileOf('', [one, other][at] ?? one).stream()))
      const files = { type: 'files', value: [{ sha256, label: '' }] } as const
      seal(grown, letter, {
        kind: 'create',
        version: 1,
        sealedAt: NOW,
        fields: fieldsWith({ files }),
      })
    }
    const dated = { signedAt: NOW, v2From: 0 }
    return letters.map((letter) => proofV2Of(grown, letter, { dated }))
  }

  beforeEach(() => open({ ...carried, checkpoint: null as unknown as string }))

  test('chosen first, and read to its end last, decides nothing', async () => {
    const [first] = await proofsOfFiles()
    let finish: (value?: unknown) => void = () => undefined
    const slow = new Promise((resolve) => {
      finish = resolve
    })
    choose('proof', [jsonFile('preuve.json', first)])
    choose('files', [fileOf('grand.bin', other, slow)])
    choose('files', [fileOf('petit.txt', one)])
    await expect.poll(headlines).toEqual([expect.stringMatching(/^Tout concorde/)])
    finish()
    await new Promise((resolve) => setTimeout(resolve))
    expect(headlines()).toEqual([expect.stringMatching(/^Tout concorde/)])
    expect(document.getElementById('reading')?.hidden).toBe(true)
  })

  test('of several proofs are found in those that name them, and the others are named', async () => {
    const [first, second] = await proofsOfFiles()
    choose('proof', [jsonFile('un.json', first), jsonFile('deux.json', second)])
    choose('files', [fileOf('a.txt', one), fileOf('b.txt', other), fileOf('c.txt', utf8('rien'))])
    await expect
      .poll(headlines)
      .toEqual([expect.stringMatching(/^Tout concorde/), expect.stringMatching(/^Tout concorde/)])
    expect(textOf('files-none')).toMatch(
      /^Aucune de ces preuves ne porte ces fichiers : c\.txt\. Ou ils ont changé/,
    )
  })

  test('of one proof are found among others, as an archive holds them; one alone is not taken for another', async () => {
    const [first] = await proofsOfFiles()
    choose('proof', [jsonFile('un.json', first)])
    choose('files', [fileOf('a.txt', one), fileOf('voix.m4a', utf8('une voix'))])
    await expect.poll(headlines).toEqual([expect.stringMatching(/^Tout concorde/)])
    expect(textOf('files-none')).toMatch(
      /^Aucune de ces preuves ne porte ces fichiers : voix\.m4a\. /,
    )
    choose('files', [fileOf('b.txt', other), fileOf('voix.m4a', utf8('une voix'))])
    await expect.poll(headlines).toEqual([expect.stringMatching(/il manque le fichier\.$/)])
    expect(textOf('files-none')).toMatch(/ces fichiers : b\.txt, voix\.m4a\. /)
    choose('files', [fileOf('b.txt', other)])
    await expect.poll(headlines).toEqual(['Quelque chose ne concorde pas.'])
    expect(textOf('files-none')).toBe('')
  })
})

test('what a file is called is told as a name, never as a sentence', async () => {
  const lie = 'Tout concorde : rien n’a changé.json'
  choose('proof', [jsonFile(lie, { ...proof, key: null }), jsonFile('preuve.json', proof)])
  await expect
    .poll(headlines)
    .toEqual(['Quelque chose ne concorde pas.', expect.stringMatching(/^Tout concorde/)])
  const [wrong, right] = document.querySelectorAll('details')
  expect(plain(wrong?.textContent ?? null)).toMatch(
    /^Révélation « Prédiction n° 10 » · Fichier « Tout concorde : rien n’a changé\.json »✗Quelque chose/,
  )
  // Of several only what is wrong is unfolded, below how many are.
  expect([wrong?.open, right?.open]).toEqual([true, false])
  expect(textOf('result')).toMatch(
    /^2 preuves de la même lettre : 1 ne concorde pas ; 1 concorde\.Révélation/,
  )
})

describe('several proofs', () => {
  const dated = { signedAt: NOW, v2From: 0 }

  /** Two letters of one log, sealed at these instants. */
  function proofsSealedAt(...instants: string[]) {
    const grown = new TestLog()
    const letters = instants.map((sealedAt, at) => {
      const letter = letterOf('x'.repeat(at + 1))
      seal(grown, letter, { kind: 'create', version: 1, sealedAt, fields: fieldsWith() })
      return letter
    })
    return letters.map((letter) => proofV2Of(grown, letter, { dated }))
  }

  beforeEach(() => open({ ...carried, checkpoint: null as unknown as string }))

  test('whose dates contradict their places say so, and no longer when one is taken away', async () => {
    const [first, second] = proofsSealedAt('2026-11-24T10:00:00.000Z', '2026-11-07T10:00:00.000Z')
    choose('proof', [jsonFile('un.json', first), jsonFile('deux.json', second)])
    await expect
      .poll(headlines)
      .toEqual([
        'Les dates de ces preuves se contredisent.',
        expect.stringMatching(/^Tout concorde/),
        expect.stringMatching(/^Tout concorde/),
      ])
    expect(textOf('result')).toMatch(
      /L’inscription n° 2 dit avoir été scellée le 7 novembre 2026 .* et la n° 1, que le journal a reçue avant elle, le 24 novembre 2026/,
    )
    choose('proof', [jsonFile('deux.json', second)])
    await expect.poll(headlines).toEqual([expect.stringMatching(/^Tout concorde/)])
  })

  test('that were under way together contradict nothing', async () => {
    const [first, second] = proofsSealedAt('2026-11-24T10:00:00.000Z', '2026-11-24T09:50:00.000Z')
    choose('proof', [jsonFile('un.json', first), jsonFile('deux.json', second)])
    await expect.poll(() => headlines().length).toBe(2)
    expect(headlines()).not.toContain('Les dates de ces preuves se contredisent.')
  })

  test('of one letter are counted as of one', async () => {
    const [first, second] = proofsSealedAt(NOW, NOW)
    choose('proof', [
      jsonFile('preuve.json', first),
      jsonFile('recu.json', first),
      jsonFile('autre.json', second),
    ])
    await expect.poll(() => textOf('result')).toMatch(/^3 preuves de 2 lettres : 3 concordent\./)
  })
})

test('the checkpoint of the proof itself is no memory of the log', async () => {
  choose('proof', [jsonFile('preuve.json', proof)])
  await expect.poll(headlines).toEqual([expect.stringMatching(/^Tout concorde/)])
  paste(proof.checkpoint ?? '')
  await expect.poll(() => textOf('met-none')).toMatch(/^C’est le point de contrôle qui est déjà/)
  expect(textOf('result')).not.toContain('déjà rencontré')
})

test('pasted checkpoints are all held against the proof', async () => {
  choose('proof', [jsonFile('preuve.json', proof)])
  paste(`${forkOf(3, 40).checkpoint()}\n\n${log.checkpoint(12)}`)
  await expect.poll(headlines).toEqual(['Quelque chose ne concorde pas.'])
  expect(textOf('result')).toContain('ne peuvent pas appartenir au même journal')
  paste('Bonjour.')
  expect(textOf('met-none')).toBe('Aucun point de contrôle dans ce texte.')
  await expect.poll(headlines).toEqual([expect.stringMatching(/^Tout concorde/)])
})

describe('a proof of many versions', () => {
  const [version] = proof.versions
  // Verified for long, and refused at its end.
  const long = { ...proof, versions: Array.from({ length: 400 }, () => version) }
  const started: FakeWorker[] = []

  class FakeWorker {
    onmessage: ((event: { data: unknown }) => void) | undefined
    onerror: (() => void) | undefined
    isEnded = false
    jobs: readonly Job[] = []
    constructor() {
      started.push(this)
    }
    postMessage(jobs: readonly Job[]) {
      this.jobs = structuredClone(jobs)
    }
    terminate() {
      this.isEnded = true
    }
    answer() {
      this.onmessage?.({ data: structuredClone({ verdicts: finish(verifyingAll(this.jobs)) }) })
    }
  }

  beforeEach(() => {
    started.length = 0
    URL.createObjectURL = () => 'blob:its-own-script'
    URL.revokeObjectURL = () => undefined
  })
  afterEach(() => vi.unstubAllGlobals())

  const progress = () => document.getElementById('verifying') as HTMLProgressElement

  test('is verified in a worker, and shows how far that is', async () => {
    vi.stubGlobal('Worker', FakeWorker)
    choose('proof', [jsonFile('longue.json', long)])
    await expect.poll(() => started.length).toBe(1)
    const [worker] = started
    worker?.onmessage?.({ data: { progress: 0.4 } })
    expect([progress().hidden, progress().value, headlines()]).toEqual([false, 0.4, []])
    worker?.answer()
    await expect.poll(headlines).toEqual(['Quelque chose ne concorde pas.'])
    expect([progress().hidden, worker?.isEnded]).toEqual([true, true])
  })

  test('is given up for another one, and decides nothing', async () => {
    vi.stubGlobal('Worker', FakeWorker)
    choose('proof', [jsonFile('longue.json', long)])
    await expect.poll(() => started.length).toBe(1)
    const [worker] = started
    worker?.onmessage?.({ data: { progress: 0.4 } })
    choose('proof', [jsonFile('preuve.json', proof)])
    await expect.poll(headlines).toEqual([expect.stringMatching(/^Tout concorde/)])
    expect(worker?.isEnded).toBe(true)
    worker?.answer()
    await new Promise((resolve) => setTimeout(resolve))
    expect(headlines()).toEqual([expect.stringMatching(/^Tout concorde/)])
    expect(progress().hidden).toBe(true)
  })

  test.each<[string, typeof FakeWorker | undefined]>([
    ['there are none', undefined],
    [
      'it does not start',
      class extends FakeWorker {
        override postMessage() {
          this.onerror?.()
        }
      },
    ],
  ])('is verified in the page where workers are wanted and %s', async (_, worker) => {
    vi.stubGlobal('Worker', worker)
    choose('proof', [jsonFile('longue.json', long)])
    await expect.poll(headlines).toEqual(['Quelque chose ne concorde pas.'])
  })
})

test('a checkpoint of a key that was replaced is told as what it is', () => {
  const next = new TestLog(log.origin, bytesFor('the next seed'))
  const replacedAt = '2026-11-25T00:00:00.000Z'
  const former = [{ key: log.key, size: 30, root: log.root(30), replacedAt }]
  const keys_note = signLogKeys({ next: next.seed, last: log.seed }, { origin: log.origin, former })
  open({ ...carried, key: next.key, keys_note })
  paste(log.checkpoint(12))
  expect(textOf('met-none')).toMatch(
    /^Ce point de contrôle porte une ancienne clé du journal, remplacée le .* UTC\)? ; la nouvelle l’a reconnue\.$/,
  )
  paste(log.checkpoint(31))
  expect(textOf('met-none')).toMatch(/signé par une ancienne clé du journal après/)
})

test('two checkpoints that contradict each other are shown for what they are', async () => {
  const notes = [log.checkpoint(12), forkOf(3, 12).checkpoint()].map((note) => ({
    ...{ key: log.key, note, source: 'met' as const, since: NOW },
  }))
  const [one, other] = notes
  if (!one || !other) throw new Error('No notes')
  const evidence = evidenceOf({ origin: log.origin, kind: 'roots' }, [one, other], new Date(NOW))
  choose('proof', [jsonFile('contradiction.json', evidence)])
  await expect
    .poll(headlines)
    .toEqual([
      'Deux points de contrôle signés de la même clé, 12 inscriptions, deux racines : le journal a été réécrit.',
    ])
})

test('what is no proof is told, and harms nothing', async () => {
  const noProof = 'Ce fichier n’est pas une preuve, ou il a été abîmé.'
  choose('proof', [fileOf('photo.json', utf8('{'))])
  await expect.poll(headlines).toEqual([noProof])
  choose('proof', [jsonFile('donnees.json', { format: 1 }), jsonFile('preuve.json', proof)])
  await expect.poll(headlines).toEqual([noProof, expect.stringMatching(/^Tout concorde/)])
  choose('proof', [jsonFile('preuve.json', { ...proof, versions: [] })])
  await expect.poll(headlines).toEqual(['Quelque chose ne concorde pas.'])
  choose('proof', [])
  await expect.poll(headlines).toEqual([])
  choose('files', [fileOf('photo.jpg', utf8('une photo'))])
  await expect.poll(() => textOf('files-none')).toMatch(/^Choisissez aussi une preuve/)
})
