import { deleteDB } from 'idb'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DRAFT_PREFIX, draftsDatabase } from '#web/lib/drafts.ts'
import { provideStorages } from '#web/lib/provided-storage.ts'
import { standInForDatabases } from '#web/test/disk-stand-ins.ts'
import { draftFor } from '../revelation-draft.ts'
import { createDraftAutosave } from './draft-autosave.ts'
import { newDraft, type StoredDraft } from './draft-schema.ts'
import { eraseDraft, listDrafts, storeDraft } from './draft-store.ts'
import { readLastWords, writeLastWords } from './last-words.ts'

const USER = 'user-camille'
const OWN = 'camille@exemple.be'
const WISH = { kind: undefined, visibility: undefined, addressee: undefined }
const values = draftFor('Europe/Brussels', WISH, OWN)

const aDraft = (title: string, changes: Partial<StoredDraft> = {}) =>
  newDraft({ ...values, title }, changes)
const titles = async () => (await listDrafts(USER)).map((draft) => draft.values.title)

standInForDatabases()
afterEach(async () => {
  vi.restoreAllMocks()
  await deleteDB(draftsDatabase(USER))
})

test('drafts are listed the latest first, and one goes alone', async () => {
  const [one, other] = [aDraft('Ancien', { touchedAtMs: 1 }), aDraft('Récent', { touchedAtMs: 2 })]
  await Promise.all([storeDraft(USER, one), storeDraft(USER, other)])
  expect(await titles()).toEqual(['Récent', 'Ancien'])
  expect(readLastWords(USER), 'the database has them').toEqual([])
  await eraseDraft(USER, other.id)
  expect(await titles()).toEqual(['Ancien'])
})

test('words that the database had no time for win over what it has, and older ones do not', async () => {
  const draft = aDraft('Premier jet', { touchedAtMs: 1 })
  await storeDraft(USER, draft)
  writeLastWords(USER, { ...draft, values: { ...values, title: 'Derniers mots' }, touchedAtMs: 2 })
  expect(await titles()).toEqual(['Derniers mots'])
  expect(readLastWords(USER)).toEqual([])
  await storeDraft(USER, { ...draft, values: { ...values, title: 'Retard' }, touchedAtMs: 1 })
  expect(await titles()).toEqual(['Derniers mots'])
})

describe('what an earlier version of the site stored', () => {
  const former = {
    title: 'D’avant',
    content: '',
    target_email: 'lea@exemple.be',
    day: '2030-01-01',
  }
  const choices = { time: '', category: 'love', visibility: 'friends' }
  const store = (name: string, value: unknown) =>
    localStorage.setItem(DRAFT_PREFIX + name + USER, JSON.stringify(value))

  test('becomes drafts, once', async () => {
    store('', { ...former, ...choices })
    store('aside:', [{ ...former, ...choices, title: 'Mise de côté', notifiesNow: false }])
    store('wish:', { notifiesNow: false })
    store('key:', 'la-cle')
    const drafts = await listDrafts(USER)
    expect(drafts).toMatchObject([
      { key: 'la-cle', wantsSealing: true, notifiesNow: false, values: { title: 'D’avant' } },
      { key: null, wantsSealing: false, notifiesNow: false, values: { title: 'Mise de côté' } },
    ])
    expect(drafts[0]?.values.recipients).toEqual([{ email: 'lea@exemple.be', name: '' }])
    expect(Object.keys(localStorage)).toEqual([])
    expect(await titles()).toEqual(['D’avant', 'Mise de côté'])
  })

  test('stays where it is while it cannot be stored otherwise', async () => {
    store('', { ...former, ...choices })
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError')
    })
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError')
    })
    expect(await titles()).toEqual(['D’avant'])
    vi.restoreAllMocks()
    expect(await titles()).toEqual(['D’avant'])
  })
})

describe('a letter that is written', () => {
  function autosaveOf(draft: StoredDraft) {
    const states: string[] = []
    const autosave = createDraftAutosave({
      ...{ userId: USER, ownAddress: OWN, draft, isStored: false },
      onSaveState: (state) => states.push(state),
    })
    return { autosave, states }
  }

  test('is saved at once, and in the database a moment later', async () => {
    const { autosave, states } = autosaveOf(aDraft(''))
    autosave.update({ values: { ...values, title: 'En route' } })
    expect(readLastWords(USER)).toMatchObject([{ values: { title: 'En route' } }])
    autosave.flush()
    await vi.waitFor(() => expect(states).toEqual(['saved']))
    expect(readLastWords(USER)).toEqual([])
    expect(await titles()).toEqual(['En route'])
  })

  test('in which nothing is written leaves nothing, one’s own address is nothing', async () => {
    const { autosave, states } = autosaveOf(aDraft('Un mot'))
    autosave.update({ values: { ...values, title: 'Un mot' } })
    autosave.flush()
    await vi.waitFor(() => expect(states).toEqual(['saved']))
    autosave.update({ values: { ...values, recipients: [{ email: OWN.toUpperCase(), name: '' }] } })
    autosave.flush()
    await vi.waitFor(() => expect(states).toEqual(['saved', 'nothing']))
    expect(await titles()).toEqual([])
  })

  test('says that a device without room saves nothing', async () => {
    const { autosave, states } = autosaveOf(aDraft(''))
    const full = () => {
      throw new DOMException('Full', 'QuotaExceededError')
    }
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(full)
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(full)
    autosave.update({ values: { ...values, title: 'En route' } })
    autosave.flush()
    await vi.waitFor(() => expect(states).toEqual(['refused']))
  })

  test('says that a browser that stores nothing saves nothing', async () => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    const own = Object.getOwnPropertyDescriptor(window, 'localStorage') as PropertyDescriptor
    onTestFinished(() => void Object.defineProperty(window, 'localStorage', own))
    Object.defineProperty(window, 'localStorage', { configurable: true, get: refuse })
    await provideStorages()
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(refuse)
    const { autosave, states } = autosaveOf(aDraft(''))
    autosave.update({ values: { ...values, title: 'En route' } })
    autosave.flush()
    await vi.waitFor(() => expect(states).toEqual(['refused']))
  })

  test('that is sealed is forgotten, whatever comes after', async () => {
    const { autosave } = autosaveOf(aDraft(''))
    autosave.update({ values: { ...values, title: 'Scellée' } })
    await autosave.forget({ areFilesUsed: true })
    autosave.update({ key: 'trop tard' })
    autosave.flush()
    expect([await titles(), readLastWords(USER)]).toEqual([[], []])
  })
})
