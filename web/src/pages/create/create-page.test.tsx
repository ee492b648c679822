import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { HttpResponse, http, type RequestHandler } from 'msw'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { logout, verifyToken } from '#contract/auth.ts'
import { notifyRevelation } from '#contract/deliveries.ts'
import { ERRORS } from '#contract/errors.ts'
import { IDEMPOTENCY_HEADER, REPLAYED_HEADER } from '#contract/idempotency.ts'
import type { Kind } from '#contract/kinds.ts'
import { deleteFile } from '#contract/media.ts'
import { getUser, type User } from '#contract/profiles.ts'
import { listRevelations } from '#contract/revelations.ts'
import { createRevelation } from '#contract/sealing.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { KIND_CARDS } from '#web/features/revelations/kind-field.tsx'
import { disownDrafts } from '#web/lib/drafts.ts'
import { clearToken, saveToken } from '#web/lib/session-token.ts'
import { savedDraft } from '#web/test/draft-samples.ts'
import { answer, fakeServer, refusal } from '#web/test/fake-api.ts'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anOwnRevelation, anUpload, aPage, aUser } from '#web/test/samples.ts'
import { findRecap, findSealed, sealingDoor } from '#web/test/sealing-door.ts'
import { cutAfter, uploadDoor } from '#web/test/upload-door.ts'

const author = aUser()
const film = new File(['x'.repeat(5000)], 'film.mp4', { type: 'video/mp4' })

// The page's code, once, so that no test waits for it.
beforeAll(() => import('./create-page.tsx'))
beforeEach(() => {
  standInForMedia({ duration: 40 })
  fakeServer.use(
    answer(getUser, myProfile({ total_revelations: 2 })),
    answer(getSubscription, aSubscription()),
  )
})
afterEach(() => vi.useRealTimers())

/** A server that seals, and remembers what it sealed and whom it told. */
function sealingServer() {
  const revelation = anOwnRevelation({ id: 'la-nouvelle', title: 'Ce qui sera' })
  const { handlers, ...door } = sealingDoor({ revelation })
  const notified: unknown[] = []
  const api = [
    ...handlers,
    answer(notifyRevelation, ({ body }) => {
      notified.push(body)
      return { queued: true }
    }),
  ]
  return { ...door, notified, api }
}

async function write(user: UserEvent) {
  await fill(user, await screen.findByLabelText('Titre'), 'Ce qui sera')
  await fill(user, screen.getByLabelText('Contenu'), 'Nous vivrons à Lisbonne.')
  await fill(user, screen.getByLabelText('E-mail du destinataire'), 'lea@exemple.be')
}

async function fill(user: UserEvent, field: HTMLElement, text: string) {
  await user.click(field)
  await user.paste(text)
}

async function review(user: UserEvent) {
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
}

describe('the form', () => {
  test('says what is missing, in the words of the contract, and goes to the first', async () => {
    const user = renderPage('/create?vue=tout', { user: author })
    await screen.findByLabelText('Titre')
    await review(user)
    expect(await screen.findByText('Le titre est requis')).toBeTruthy()
    expect(screen.getByText('Le contenu est requis')).toBeTruthy()
    expect(screen.getByText("L'email du destinataire est requis")).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Titre')))
    await user.type(screen.getByLabelText('Titre'), 'ab')
    await user.type(screen.getByLabelText('Contenu'), 'trop peu')
    await user.type(screen.getByLabelText('E-mail du destinataire'), 'lea')
    expect(await screen.findByText('Le titre doit contenir au moins 3 caractères')).toBeTruthy()
    expect(screen.getByText('Le contenu doit contenir au moins 10 caractères')).toBeTruthy()
    expect(screen.getByText('Format email invalide')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Sceller' })).toBeNull()
  })

  test('counts the characters of the letter', async () => {
    const user = renderPage('/create?vue=tout', { user: author })
    await user.type(await screen.findByLabelText('Contenu'), 'douze signes')
    expect(screen.getByText(/^12 \//)).toBeTruthy()
  })

  test('starts public, general, tomorrow, and tells the addressee', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
    renderPage('/create?vue=tout', { user: author })
    await screen.findByLabelText('Titre')
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Public' }).checked).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Général' }).checked).toBe(true)
    expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true)
    expect(screen.getByLabelText('Date de révélation').textContent).toBe('samedi 21 novembre 2026')
    expect(screen.getByText('samedi 21 novembre 2026 à 00:00 (heure de Bruxelles)')).toBeTruthy()
  })

  test('is for the family to begin with when one comes from the circle', async () => {
    renderPage('/create?vue=tout&visibilite=family', { user: author })
    await screen.findByLabelText('Titre')
    expect(screen.getByRole('radio', { name: /^Cercle Privé/, checked: true })).toBeTruthy()
  })

  test('says that an instant already past opens at once', async () => {
    // The calendar opens at the month of tomorrow: on the last day of one, today is not in it.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') })
    const user = renderPage('/create?vue=tout', { user: author })
    await user.click(await screen.findByLabelText('Date de révélation'))
    await user.click(screen.getByRole('button', { name: /^aujourd/i }))
    const time = screen.getByLabelText(/^Heure/)
    await user.clear(time)
    await user.type(time, '00:00')
    expect(await screen.findByText('Elle sera dévoilée immédiatement')).toBeTruthy()
  })

  test('« Personnel » is explained, and filled in with the author’s own address', async () => {
    const user = renderPage('/create?vue=tout', { user: author })
    const email = await screen.findByLabelText<HTMLInputElement>('E-mail du destinataire')
    const personal = screen.getAllByRole('radio', { name: 'Personnel' })[0] as HTMLElement
    await user.click(personal)
    expect(email.value).toBe(author.email)
    expect(screen.getByText(/Elle est livrée au destinataire à la date/)).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'Public' }))
    expect(email.value).toBe('')
    await user.type(email, 'lea@exemple.be')
    await user.click(personal)
    expect(email.value).toBe('lea@exemple.be')
  })

  test('begins with what its kind has, and sends it', async () => {
    const { sealed, api } = sealingServer()
    const user = renderPage('/create?vue=tout', { user: author, api })
    const email = await screen.findByLabelText<HTMLInputElement>('E-mail du destinataire')
    const kinds = within(screen.getByRole('radiogroup', { name: /^Pour qui, et pourquoi/ }))
    expect(kinds.queryByRole('radio', { checked: true })).toBeNull()
    const begun = async (kind: Kind) => {
      await user.click(kinds.getByRole('radio', { name: KIND_CARDS[kind].title }))
      const visibility = within(screen.getByRole('radiogroup', { name: 'Visibilité' }))
      const { value } = visibility.getByRole<HTMLInputElement>('radio', { checked: true })
      return [value, email.value]
    }
    expect(await begun('letter')).toEqual(['private', ''])
    expect(await begun('prediction')).toEqual(['public', author.email])
    expect(await begun('capsule')).toEqual(['private', author.email])
    expect(await begun('letter')).toEqual(['private', ''])
    expect(await begun('announcement')).toEqual(['public', author.email])
    await user.click(screen.getByRole('radio', { name: 'Amis' }))
    expect(email.value).toBe(author.email)
    await fill(user, screen.getByLabelText('Titre'), 'Ce qui sera')
    await fill(user, screen.getByLabelText('Contenu'), 'Nous vivrons à Lisbonne.')
    await review(user)
    const recap = await findRecap()
    expect(recap.getByText(/^Annonce · Amis/)).toBeTruthy()
    await user.click(recap.getByRole('button', { name: 'Sceller' }))
    await findSealed()
    expect(sealed[0]).toMatchObject({ kind: 'announcement', visibility: 'friends' })
  })

  test('is a prediction to begin with when one comes from those of all', async () => {
    renderPage('/create?vue=tout&genre=prediction', { user: author })
    await screen.findByLabelText('Titre')
    expect(screen.getByRole('radio', { name: 'Une prédiction', checked: true })).toBeTruthy()
    expect(screen.getByRole('radio', { name: 'Public', checked: true })).toBeTruthy()
    expect(screen.getByLabelText<HTMLInputElement>('E-mail du destinataire').value).toBe(
      author.email,
    )
  })

  test('tells what happens to a letter, and promises no more', async () => {
    renderPage('/create?vue=tout', { user: author })
    expect(await screen.findByText(/personne d’autre que vous ne peut ouvrir/)).toBeTruthy()
    expect(document.body.textContent).not.toMatch(/inviolable|bout en bout|pour toujours/)
  })
})

describe('the room of the free plan', () => {
  const room = (sealed: number, plan: Parameters<typeof aSubscription>[0] = {}) => [
    answer(getUser, myProfile({ total_revelations: sealed + 2, pending_revelations: sealed })),
    answer(getSubscription, aSubscription(plan)),
  ]

  test('is said when little is left', async () => {
    renderPage('/create?vue=tout', { user: author, api: room(4) })
    expect(await screen.findByText(/Il vous reste 1 révélation à sceller sur les 5/)).toBeTruthy()
  })

  test('is said before one writes when nothing is left, with the way to the plans', async () => {
    renderPage('/create?vue=tout', { user: author, api: room(5) })
    expect(
      await screen.findByText('Vos 5 révélations scellées du plan gratuit sont prises'),
    ).toBeTruthy()
    const link = screen.getByRole('link', { name: 'Voir les plans' })
    expect(link.getAttribute('href')).toBe('/subscription')
  })

  test('that a refusal tells of leads to the plans beside what was written', async () => {
    const api = [answer(createRevelation, refusal('plan_limit'))]
    const user = renderPage('/create?vue=tout', { user: author, api })
    await write(user)
    await review(user)
    const recap = await findRecap()
    await user.click(recap.getByRole('button', { name: 'Sceller' }))
    const link = await recap.findByRole('link', { name: 'Voir les plans (nouvel onglet)' })
    expect(link.getAttribute('target')).toBe('_blank')
    expect(
      recap.getByText(/Votre plan gratuit permet 5 révélations scellées à la fois/),
    ).toBeTruthy()
  })
})

describe('sealing', () => {
  test('is asked once more, with everything in words', async () => {
    const { sealed, notified, api } = sealingServer()
    const user = renderPage('/create?vue=tout', { user: author, api })
    await write(user)
    await user.click(screen.getByRole('button', { name: 'Dans dix ans' }))
    await review(user)
    const recap = await findRecap()
    expect(recap.getByText('Ce qui sera')).toBeTruthy()
    expect(recap.getByText(/ à 00:00 \(heure de Bruxelles\)$/)).toBeTruthy()
    expect(recap.getByText('Tout le monde')).toBeTruthy()
    expect(recap.getByText('lea@exemple.be')).toBeTruthy()
    expect(recap.getByText('Vos mots, sans fichier')).toBeTruthy()
    expect(
      recap.getByText(/a scellé une lettre pour vous : Ce qui sera\. Elle s’ouvrira le/),
    ).toBeTruthy()
    expect(sealed).toEqual([])
    await user.dblClick(recap.getByRole('button', { name: 'Sceller' }))
    await findSealed()
    const link = screen.getByRole('link', { name: 'Voir la lettre' })
    expect(link.getAttribute('href')).toBe('/revelation/la-nouvelle')
    expect(sealed).toHaveLength(1)
    expect(sealed[0]).toMatchObject({
      title: 'Ce qui sera',
      content: 'Nous vivrons à Lisbonne.',
      target_email: 'lea@exemple.be',
      time_zone: 'Europe/Brussels',
      category: 'general',
      visibility: 'public',
      is_private: false,
      file_url: null,
    })
    expect(sealed[0]?.reveal_date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(notified).toEqual([{ revelationId: 'la-nouvelle' }])
  })

  test('to oneself says that nothing leaves before the date, and its name once', async () => {
    const user = renderPage('/create?vue=tout', { user: author })
    await user.type(await screen.findByLabelText('Titre'), 'Ce qui sera')
    await user.type(screen.getByLabelText('Contenu'), 'Nous vivrons à Lisbonne.')
    for (const personal of screen.getAllByRole('radio', { name: 'Personnel' }))
      await user.click(personal)
    await review(user)
    const recap = await findRecap()
    expect(recap.getByText('Rien ne part maintenant : elle est pour vous.')).toBeTruthy()
    expect(recap.queryByText(/Un e-mail part dès maintenant/)).toBeNull()
    expect(recap.getByText('Personnel')).toBeTruthy()
    await user.click(recap.getByRole('button', { name: 'Retour' }))
    await user.click(await screen.findByRole('button', { name: 'Une autre adresse' }))
    await user.paste('lea@exemple.be')
    await review(user)
    expect(
      (await findRecap()).getByText(/^Dès maintenant, un e-mail part à chacun, sauf vous/),
    ).toBeTruthy()
  })

  test('keeps the surprise when asked to, and sends an hour as an instant', async () => {
    const { sealed, notified, api } = sealingServer()
    const user = renderPage('/create?vue=tout', { user: author, api })
    await write(user)
    await user.click(screen.getByRole('checkbox'))
    await user.type(screen.getByLabelText(/^Heure/), '18:30')
    await review(user)
    const recap = await findRecap()
    expect(recap.getByText('La surprise est gardée jusqu’à la date.')).toBeTruthy()
    expect(recap.getByText(/ à 18:30 \(heure de Bruxelles\)$/)).toBeTruthy()
    await user.click(recap.getByRole('button', { name: 'Sceller' }))
    await findSealed()
    expect(sealed[0]?.reveal_date).toMatch(/T\d\d:30:00\.000Z$/)
    expect(notified).toEqual([])
  })

  test('to one addressee too many today says so beside the field, and loses nothing', async () => {
    const user = renderPage('/create?vue=tout', {
      user: author,
      api: [answer(createRevelation, () => refusal('too_many_addressees'))],
    })
    await write(user)
    await review(user)
    await user.click((await findRecap()).getByRole('button', { name: 'Sceller' }))
    const field = await screen.findByLabelText<HTMLInputElement>('E-mail du destinataire')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(screen.getByText(/Vous avez écrit à trop d’adresses différentes/)).toBeTruthy()
    expect(field.value).toBe('lea@exemple.be')
    expect(screen.getByLabelText<HTMLInputElement>('Titre').value).toBe('Ce qui sera')
  })

  test('that is refused keeps what was typed and says why', async () => {
    const user = renderPage('/create?vue=tout', {
      user: author,
      api: [answer(createRevelation, () => refusal('plan_limit'))],
    })
    await write(user)
    await review(user)
    const recap = await findRecap()
    await user.click(recap.getByRole('button', { name: 'Sceller' }))
    expect(await recap.findByText(/Votre plan gratuit permet 5 révélations scellées/)).toBeTruthy()
    await user.click(recap.getByRole('button', { name: 'Retour' }))
    expect((await screen.findByLabelText<HTMLInputElement>('Titre')).value).toBe('Ce qui sera')
    await review(user)
    expect((await findRecap()).queryByText(/Votre plan gratuit permet/)).toBeNull()
  })

  test('shows beside its field what the server refuses', async () => {
    const refused = { reveal_date: 'La date de révélation ne peut pas être dans le passé' }
    const user = renderPage('/create?vue=tout', {
      user: author,
      api: [answer(createRevelation, () => refusal('invalid_input', refused))],
    })
    await write(user)
    await review(user)
    await user.click((await findRecap()).getByRole('button', { name: 'Sceller' }))
    expect(await screen.findByText(refused.reveal_date)).toBeTruthy()
    const day = screen.getByLabelText('Date de révélation')
    await waitFor(() => expect(document.activeElement).toBe(day))
  })
})

describe('an answer that is lost', () => {
  /** A site that answers the attempts one after the other, then like the last; with the keys of all. */
  function answers(...given: (() => Response)[]) {
    const keys: (string | null)[] = []
    const door = http.post(`${window.location.origin}${createRevelation.url}`, ({ request }) => {
      keys.push(request.headers.get(IDEMPOTENCY_HEADER))
      return (given[keys.length - 1] ?? (given.at(-1) as () => Response))()
    })
    return { keys, door }
  }

  const lost = () => HttpResponse.error()
  const revelation = anOwnRevelation({ id: 'la-nouvelle', title: 'Ce qui sera' })
  const sealed = (headers = {}) => HttpResponse.json({ revelation }, { status: 201, headers })
  const replayed = () => sealed({ [REPLAYED_HEADER]: 'true' })
  const mismatch = () => {
    const { status, message: error } = ERRORS.idempotency_mismatch
    return HttpResponse.json({ error, code: 'idempotency_mismatch', id: 'la-nouvelle' }, { status })
  }

  /** The recap, once it was asked to seal. */
  async function sealAt(door: RequestHandler) {
    const { handlers } = sealingDoor({ revelation })
    const api = [door, answer(notifyRevelation, { queued: true }), ...handlers]
    const user = renderPage('/create?vue=tout', { user: author, api })
    await write(user)
    await review(user)
    const recap = await findRecap()
    const seal = () => user.click(recap.getByRole('button', { name: 'Sceller' }))
    await seal()
    return { user, recap, seal }
  }

  test('is asked for again with the same key, and nothing is sealed twice', async () => {
    const { keys, door } = answers(lost, replayed)
    await sealAt(door)
    // It is said for three seconds.
    expect(await screen.findByText(/Elle était déjà scellée/)).toBeTruthy()
    await findSealed()
    expect([keys.length, new Set(keys).size, keys[0]?.length]).toEqual([2, 1, 36])
    expect(savedDraft(author.id)).toBeUndefined()
  })

  test('that stays lost is said, and the next click has the same key', async () => {
    const { keys, door } = answers(lost, lost, sealed)
    const { recap, seal } = await sealAt(door)
    expect(await recap.findByText(/La réponse du site s’est perdue/)).toBeTruthy()
    expect(savedDraft(author.id)?.key).toBe(keys[0])
    await seal()
    await findSealed()
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
  })

  test('after a refusal is another attempt, with another key', async () => {
    const refused = () => HttpResponse.json({ error: 'Non', code: 'plan_limit' }, { status: 403 })
    const { keys, door } = answers(refused, sealed)
    const { recap, seal } = await sealAt(door)
    expect(await recap.findByText(/^Non/)).toBeTruthy()
    await seal()
    await findSealed()
    expect(new Set(keys).size).toBe(2)
  })

  test('of words that were changed since shows what is sealed, and seals the others if wanted', async () => {
    const { keys, door } = answers(mismatch, sealed)
    const { user, recap } = await sealAt(door)
    expect(await recap.findByText('Votre premier envoi était arrivé')).toBeTruthy()
    const links = recap.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toEqual(['/revelation/la-nouvelle', '/edit/la-nouvelle'])
    await user.click(recap.getByRole('button', { name: 'Sceller celle-ci aussi' }))
    await findSealed()
    expect(new Set(keys).size).toBe(2)
  })
})

describe('a draft', () => {
  test('comes back after a reload, and goes with the sealing', async () => {
    const { api } = sealingServer()
    const user = renderPage('/create?vue=tout', { user: author, api })
    await write(user)
    // At once: no battery waits.
    expect(savedDraft(author.id)?.values.content).toContain('Lisbonne')
    await review(user)
    await user.click((await findRecap()).getByRole('button', { name: 'Sceller' }))
    await findSealed()
    expect(savedDraft(author.id)).toBeUndefined()
  })

  test('of this account is shown, with a way to start again', async () => {
    const draft = {
      title: 'Un brouillon',
      content: '',
      target_email: '',
      day: '2030-01-01',
      time: '',
      category: 'love',
      visibility: 'friends',
    }
    localStorage.setItem(`revelation-draft:${author.id}`, JSON.stringify(draft))
    localStorage.setItem('revelation-draft:quelqu-un', JSON.stringify({ ...draft, title: 'Autre' }))
    const user = renderPage('/create?vue=tout', { user: author })
    expect((await screen.findByLabelText<HTMLInputElement>('Titre')).value).toBe('Un brouillon')
    await user.click(screen.getByRole('button', { name: 'Repartir de zéro' }))
    expect(screen.getByLabelText<HTMLInputElement>('Titre').value).toBe('')
  })

  const begun = {
    title: 'Un brouillon',
    content: 'Ce que je voulais dire.',
    target_email: 'lea@exemple.be',
    day: '2030-01-01',
    time: '',
    category: 'love',
    visibility: 'friends',
  }

  /** As an earlier version of the site stored them. */
  function storeFormer(last: object, aside: object[] = []) {
    localStorage.setItem(`revelation-draft:${author.id}`, JSON.stringify(last))
    localStorage.setItem(`revelation-draft:aside:${author.id}`, JSON.stringify(aside))
  }

  test('makes place for the letter that the address asks for, and is offered', async () => {
    storeFormer(begun)
    const user = renderPage('/create?vue=tout&visibilite=family', { user: author })
    const title = await screen.findByLabelText<HTMLInputElement>('Titre')
    expect(title.value).toBe('')
    expect(screen.getByRole('radio', { name: /^Cercle Privé/, checked: true })).toBeTruthy()
    await waitFor(() => expect(window.location.search).toMatch(/brouillon=[0-9a-f-]{36}$/))
    await user.type(title, 'La livraison')
    await user.click(
      await screen.findByRole('button', { name: 'Reprendre «\u202FUn brouillon\u202F»' }),
    )
    expect(await screen.findByDisplayValue('Un brouillon')).toBeTruthy()
    expect(screen.getByRole('radio', { name: /^Amis/, checked: true })).toBeTruthy()
    expect(
      await screen.findByRole('button', { name: 'Reprendre «\u202FLa livraison\u202F»' }),
    ).toBeTruthy()
    cleanup()
    renderPage(`/create${window.location.search}`, { user: author })
    expect(await screen.findByDisplayValue('Un brouillon')).toBeTruthy()
    expect(
      await screen.findByRole('button', { name: 'Reprendre «\u202FLa livraison\u202F»' }),
    ).toBeTruthy()
  })

  test('is said to wait for the network no more once another is resumed', async () => {
    // Set aside by an earlier version of the site, which knew no words for the mails.
    storeFormer({ ...begun, title: 'La livraison' }, [begun])
    localStorage.setItem(`revelation-draft:wish:${author.id}`, '{"notifiesNow":false}')
    const user = renderPage('/create?vue=tout', { user: author })
    expect(await screen.findByText('Votre lettre n’est pas encore scellée')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^Prévenir/ }).checked).toBe(
      false,
    )
    await user.click(
      await screen.findByRole('button', { name: 'Reprendre «\u202FUn brouillon\u202F»' }),
    )
    expect(await screen.findByDisplayValue('Un brouillon')).toBeTruthy()
    expect(screen.queryByText('Votre lettre n’est pas encore scellée')).toBeNull()
    expect(Object.keys(localStorage).filter((key) => /draft:(wish|aside)/.test(key))).toEqual([])
    expect(await screen.findByText('pas encore scellée')).toBeTruthy()
  })

  test('makes place for the letter to whom the link names, and no other is lost', async () => {
    storeFormer(begun)
    const user = renderPage('/create?vue=tout', {
      user: author,
      state: { addressee: 'paul@exemple.be' },
    })
    await screen.findByDisplayValue('paul@exemple.be')
    expect(screen.getByLabelText<HTMLInputElement>('Titre').value).toBe('')
    await user.type(screen.getByLabelText('Titre'), 'Pour Paul')
    await user.click(
      await screen.findByRole('button', { name: 'Reprendre «\u202FUn brouillon\u202F»' }),
    )
    await screen.findByDisplayValue('lea@exemple.be')
    await user.click(await screen.findByRole('button', { name: 'Effacer «\u202FPour Paul\u202F»' }))
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Effacer' }))
    await waitFor(() => expect(screen.queryByText('Pour Paul')).toBeNull())
    expect(savedDraft(author.id)?.values.title).toBe('Un brouillon')
  })

  test('that is the letter asked for comes back as it was', async () => {
    const family = JSON.stringify({ ...begun, visibility: 'family' })
    localStorage.setItem(`revelation-draft:${author.id}`, family)
    renderPage('/create?vue=tout&visibilite=family', { user: author })
    expect((await screen.findByLabelText<HTMLInputElement>('Titre')).value).toBe('Un brouillon')
    expect(screen.queryByRole('button', { name: /^Reprendre/ })).toBeNull()
  })

  test('is erased when one signs out', async () => {
    const user = renderPage('/create?vue=tout', {
      user: author,
      api: [answer(logout, { success: true }), answer(listRevelations, aPage([]))],
    })
    await user.type(await screen.findByLabelText('Titre'), 'Un secret')
    window.dispatchEvent(new Event('pagehide'))
    await user.click(screen.getAllByRole('button', { name: 'Déconnexion' })[0] as HTMLElement)
    const question = within(await screen.findByRole('alertdialog'))
    expect(question.getByText('Vous avez un brouillon')).toBeTruthy()
    await user.click(question.getByRole('button', { name: 'Se déconnecter' }))
    // Besides, the device knows that somebody left: other tabs give up what they hold.
    await waitFor(() =>
      expect(Object.keys(localStorage).toSorted()).toEqual(['demo-store', 'signed-out-at']),
    )
  })

  describe('when another tab', () => {
    const storedDrafts = () => Object.keys(localStorage).filter((key) => key.includes('draft:'))
    const seeToken = () => {
      act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'auth_token' })))
    }

    async function begin() {
      const user = renderPage('/create?vue=tout', {
        user: author,
        api: [answer(listRevelations, aPage([]))],
      })
      await user.type(await screen.findByLabelText('Titre'), 'Un secret')
    }

    async function signIn(person: User) {
      fakeServer.use(answer(verifyToken, { user: person }))
      saveToken(`token-of-${person.id}`)
      seeToken()
      expect(await screen.findByText(`@${person.pseudo}`)).toBeTruthy()
    }

    async function loseSession() {
      clearToken()
      seeToken()
      expect(await screen.findByRole('link', { name: 'Connexion' })).toBeTruthy()
    }

    test('finds that the session expired, it waits for the same person', async () => {
      await begin()
      await loseSession()
      expect(storedDrafts()).toHaveLength(1)
      await signIn(author)
      expect(savedDraft(author.id)?.values.title).toBe('Un secret')
    })

    test('signs somebody else in after that, it is erased', async () => {
      await begin()
      await loseSession()
      await signIn(aUser({ id: 'user-noemie', pseudo: 'noemie' }))
      await waitFor(() => expect(storedDrafts()).toEqual([]))
    })

    test('signs somebody else in at once, it is erased', async () => {
      await begin()
      await signIn(aUser({ id: 'user-noemie', pseudo: 'noemie' }))
      await waitFor(() => expect(storedDrafts()).toEqual([]))
    })

    test('signs out, it is erased', async () => {
      await begin()
      // As it does before the token goes (`useLeave`).
      disownDrafts()
      await loseSession()
      await waitFor(() => expect(storedDrafts()).toEqual([]))
    })
  })
})

describe('a file', () => {
  const choose = (user: UserEvent, file: File) =>
    user.upload(screen.getByLabelText('Joindre un fichier'), file)

  /** The paths that the server is asked to delete. */
  function takeBacks(): unknown[] {
    const asked: unknown[] = []
    fakeServer.use(
      answer(deleteFile, ({ body }) => {
        asked.push(body)
        return { success: true as const }
      }),
    )
    return asked
  }

  test('of another type is refused before it is sent', async () => {
    const user = renderPage('/create?vue=tout', { user: author })
    await screen.findByLabelText('Titre')
    const input = screen.getByLabelText<HTMLInputElement>('Joindre un fichier')
    input.accept = ''
    await user.upload(input, new File(['<svg/>'], 'dessin.svg', { type: 'image/svg+xml' }))
    expect(screen.getByText('Type de fichier non autorisé: image/svg+xml')).toBeTruthy()
  })

  test('is sent at once; its teaser is shown to nobody until it is kept', async () => {
    const { sealed, api } = sealingServer()
    const user = renderPage('/create?vue=tout', {
      user: author,
      api: [...api, ...uploadDoor().handlers],
    })
    await write(user)
    await choose(user, film)
    expect(await screen.findByText('Upload terminé')).toBeTruthy()
    expect(await screen.findByText(/Ceci sera public/)).toBeTruthy()
    await review(user)
    expect(
      await screen.findByText('Gardez l’extrait choisi, ou préférez « Sans extrait ».'),
    ).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Sceller' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Garder cet extrait' }))
    await review(user)
    const recap = await findRecap()
    expect(recap.getByText(/de 0:00,0 à 0:10,0/)).toBeTruthy()
    await user.click(recap.getByRole('button', { name: 'Sceller' }))
    await findSealed()
    expect(sealed[0]).toMatchObject({
      file_url: anUpload().url,
      file_type: 'video',
      teaser_start: 0,
      teaser_end: 10,
    })
  })

  test('may go without a teaser', async () => {
    const { sealed, api } = sealingServer()
    const user = renderPage('/create?vue=tout', {
      user: author,
      api: [...api, ...uploadDoor().handlers],
    })
    await write(user)
    await choose(user, film)
    await user.click(await screen.findByRole('button', { name: 'Sans extrait' }))
    await review(user)
    await user.click((await findRecap()).getByRole('button', { name: 'Sceller' }))
    await findSealed()
    expect(sealed[0]).toMatchObject({ file_type: 'video', teaser_start: null, teaser_end: null })
  })

  test('that was cut goes on by itself where it stopped, and the text stays', async () => {
    const door = uploadDoor()
    // It waits for the network, and not for a moment that is soon over.
    vi.spyOn(Math, 'random').mockReturnValue(500)
    door.next(cutAfter(2000))
    const user = renderPage('/create?vue=tout', { user: author, api: door.handlers })
    await write(user)
    await choose(user, film)
    await screen.findByText('Connexion perdue. L’envoi reprend dès que possible.')
    await screen.findByText(/de « film.mp4 » sont arrivés/)
    window.dispatchEvent(new Event('online'))
    expect(await screen.findByText('Upload terminé')).toBeTruthy()
    expect(door.offsets).toEqual([0, 2000])
    expect(screen.getByLabelText<HTMLInputElement>('Titre').value).toBe('Ce qui sera')
  })

  test('that is taken away is taken back from the server', async () => {
    const deleted = takeBacks()
    const user = renderPage('/create?vue=tout', { user: author, api: uploadDoor().handlers })
    await screen.findByLabelText('Titre')
    await choose(user, film)
    await screen.findByText('Upload terminé')
    await user.click(screen.getByRole('button', { name: 'Retirer le fichier' }))
    const again = await screen.findByLabelText('Joindre un fichier')
    await waitFor(() => expect(deleted).toEqual([{ path: anUpload().path }]))
    await waitFor(() => expect(document.activeElement?.contains(again)).toBe(true))
    expect(document.activeElement).not.toBe(document.body)
  })

  test('on its way warns whoever leaves the page', async () => {
    const door = uploadDoor()
    const letAnswer = door.answerLater()
    const user = renderPage('/create?vue=tout', { user: author, api: door.handlers })
    await screen.findByLabelText('Titre')
    await choose(user, film)
    await screen.findByRole('button', { name: 'Annuler l’envoi' })
    const closing = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(closing)
    expect(closing.defaultPrevented).toBe(true)
    await user.click(screen.getAllByRole('link', { name: 'Accueil' })[0] as HTMLElement)
    const question = within(
      await screen.findByRole('alertdialog', { name: 'Quitter la page\u202F?' }),
    )
    await user.click(question.getByRole('button', { name: 'Rester' }))
    expect(window.location.pathname).toBe('/create')
    await user.click(screen.getByRole('button', { name: 'Annuler l’envoi' }))
    expect(await screen.findByLabelText('Joindre un fichier')).toBeTruthy()
    letAnswer()
    await waitFor(() => expect(door.abandoned).toHaveLength(1))
    expect(door.uploads.size).toBe(0)
  })

  test('on its way warns at every step', async () => {
    const door = uploadDoor()
    const letAnswer = door.answerLater()
    const user = renderPage('/create?genre=capsule', { user: author, api: door.handlers })
    await user.click(await screen.findByRole('button', { name: 'Continuer' }))
    await screen.findByRole('textbox', { name: 'Votre capsule' })
    await choose(user, film)
    await screen.findByRole('button', { name: 'Annuler l’envoi' })
    await user.click(screen.getByRole('button', { name: 'Retour' }))
    await screen.findByRole('heading', { level: 1, name: /^Pour qui/ })
    await waitFor(() => {
      const closing = new Event('beforeunload', { cancelable: true })
      window.dispatchEvent(closing)
      expect(closing.defaultPrevented).toBe(true)
    })
    await user.click(screen.getAllByRole('link', { name: 'Accueil' })[0] as HTMLElement)
    await user.click(await screen.findByRole('button', { name: 'Rester' }))
    expect(window.location.pathname).toBe('/create')
    letAnswer()
  })
})
