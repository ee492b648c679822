import { cleanup, screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notifyRevelation } from '#contract/deliveries.ts'
import { getUser } from '#contract/profiles.ts'
import { getRevelation, listRevelations } from '#contract/revelations.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { savedDraft } from '#web/test/draft-samples.ts'
import { answer, fakeServer, type Refusal, refusal } from '#web/test/fake-api.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { anOwnRevelation, aPage, aUser } from '#web/test/samples.ts'
import { sealingDoor } from '#web/test/sealing-door.ts'

const author = aUser()
const prediction = anOwnRevelation({ id: 'ma-prediction', kind: 'prediction' })
type User = ReturnType<typeof renderPage>

beforeAll(() => import('./create-page.tsx'))
beforeEach(() => {
  fakeServer.use(
    answer(getUser, myProfile({ total_revelations: 2 })),
    answer(getSubscription, aSubscription()),
  )
})

function open(path = '/create', refused?: Refusal) {
  const revelation = anOwnRevelation({ id: 'la-nouvelle', title: 'Une lettre pour Léa' })
  const door = sealingDoor({ refused, revelation })
  const notified_at = new Date().toISOString()
  const deliveries = revelation.deliveries.map((delivery) => ({ ...delivery, notified_at }))
  const api = [
    ...door.handlers,
    answer(notifyRevelation, { queued: true }),
    answer(getRevelation, { revelation: { ...revelation, deliveries } }),
  ]
  const user = renderPage(path, { user: author, api })
  return { user, ...door }
}

const heading = (name: RegExp | string) => screen.findByRole('heading', { level: 1, name })
const goOn = (user: User) => user.click(screen.getByRole('button', { name: 'Continuer' }))
const words = () =>
  screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Votre (lettre|prédiction)/ })

async function fill(user: User, field: HTMLElement, text: string) {
  await user.click(field)
  await user.paste(text)
}

async function writeToLea(user: User) {
  await user.click(await screen.findByRole('radio', { name: /^Une lettre/ }))
  await fill(user, screen.getByLabelText('E-mail du destinataire'), 'lea@exemple.be')
  await fill(user, screen.getByLabelText('Son prénom'), 'Léa')
  await goOn(user)
  await fill(user, await words(), 'Dans un an, tu liras ceci.')
  await goOn(user)
  await heading(/^Quand/)
}

describe('step by step', () => {
  test('a letter to somebody is titled, private, and sealed', async () => {
    const { user, sealed } = open()
    await writeToLea(user)
    expect(screen.getByText('Vous sur le site, et le destinataire à la date')).toBeTruthy()
    await goOn(user)
    await heading('Avant de sceller')
    await waitFor(() => expect(window.location.search).toMatch(/etape=sceller$/))
    await user.click(screen.getByRole('button', { name: 'Sceller' }))
    const done = await heading('C’est scellé.')
    expect(screen.getByRole('link', { name: 'Voir la lettre' })).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(done))
    expect(sealed).toMatchObject([
      { kind: 'letter', visibility: 'private', title: 'Une lettre pour Léa' },
    ])
    expect(savedDraft(author.id)).toBeUndefined()
    await user.click(screen.getByRole('button', { name: 'En écrire une autre' }))
    const another = await heading(/^Pour qui/)
    await waitFor(() => expect(document.activeElement).toBe(another))
    fakeServer.use(answer(listRevelations, aPage([])))
    // Whoever goes back, from there or from the letter, finds what was said of it; further back there are no steps.
    window.history.back()
    await heading('C’est scellé.')
    expect(await screen.findByText(/^Un e-mail est parti prévenir/)).toBeTruthy()
    window.history.back()
    await waitFor(() => expect(window.location.pathname).toBe('/'))
    window.history.forward()
    await heading('C’est scellé.')
    cleanup()
    fakeServer.use(answer(getRevelation, { revelation: prediction }))
    renderPage(`/create?scellee=${prediction.id}`, { user: author })
    await heading('C’est scellé.')
    expect(screen.getByRole('link', { name: 'Voir la prédiction' })).toBeTruthy()
  })

  test('what is missing is said where it is written, in the words of the contract', async () => {
    const { user } = open()
    await heading(/^Pour qui/)
    await goOn(user)
    expect(await screen.findByText('Choisissez d’abord ce que vous écrivez')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: /^Une lettre/ }))
    await goOn(user)
    expect(await screen.findByText("L'email du destinataire est requis")).toBeTruthy()
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByLabelText('E-mail du destinataire')),
    )
    await fill(user, screen.getByLabelText('E-mail du destinataire'), 'lea@exemple.be')
    await goOn(user)
    await user.clear(await screen.findByLabelText('Titre'))
    await goOn(user)
    expect(await screen.findByText('Le titre est requis')).toBeTruthy()
    expect(screen.getByText('Le contenu est requis')).toBeTruthy()
  })

  test('a prediction is for everybody, and comes to its author', async () => {
    const { user } = open('/create?genre=prediction')
    expect(
      await screen.findByText('Le jour venu, vous la recevez et tout le monde peut la lire.'),
    ).toBeTruthy()
    await goOn(user)
    expect((await screen.findByLabelText<HTMLInputElement>('Titre')).value).toMatch(
      /^Ma prédiction du /,
    )
    await fill(user, await words(), 'Il neigera à Noël.')
    await goOn(user)
    expect(await screen.findByText('Tout le monde')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: /^Changer/ }))
    await user.click(screen.getByRole('radio', { name: /^Amis/ }))
    expect(screen.getByText(/^Elle ne comptera pas dans votre bilan/)).toBeTruthy()
  })

  test('an hour that words named goes with them, a step away too', async () => {
    const { user } = open()
    await writeToLea(user)
    const say = async (moment: string) => {
      const field = await screen.findByRole('textbox', { name: /^Quand/ })
      await user.clear(field)
      await fill(user, field, moment)
    }
    const hour = () => screen.getByLabelText<HTMLInputElement>(/^Heure/).value
    await say('samedi à 18 h')
    expect(hour()).toBe('18:00')
    await user.click(screen.getByRole('button', { name: 'Retour' }))
    await words()
    await goOn(user)
    await heading(/^Quand/)
    expect(hour()).toBe('18:00')
    await say('dans un an')
    expect(hour()).toBe('')
  })

  test('a capsule that is for nobody any more asks for whom', async () => {
    const { user } = open('/create?vue=tout')
    await user.click(await screen.findByRole('radio', { name: /^Une capsule/ }))
    await user.clear(screen.getByLabelText('E-mail du destinataire'))
    await user.click(screen.getByRole('button', { name: 'Pas à pas' }))
    await heading(/^Pour qui, et pourquoi/)
    await goOn(user)
    expect(await screen.findByText("L'email du destinataire est requis")).toBeTruthy()
  })

  test('« back » and a reload keep the place and the words', async () => {
    const { user } = open()
    await writeToLea(user)
    await user.click(screen.getByRole('button', { name: 'Retour' }))
    expect((await words()).value).toBe('Dans un an, tu liras ceci.')
    await goOn(user)
    await heading(/^Quand/)
    const { pathname, search } = window.location
    cleanup()
    open(pathname + search)
    await heading(/^Quand/)
    cleanup()
    // « Écrire » begins another, and offers this one.
    const again = open()
    await again.user.click(
      await screen.findByRole('button', {
        name: 'Reprendre «\u202FDans un an, tu liras ceci.\u202F»',
      }),
    )
    await heading(/^Quand/)
  })

  test('a part is changed from the recap, and one is back there', async () => {
    const { user } = open()
    await writeToLea(user)
    await goOn(user)
    await heading('Avant de sceller')
    await user.click(screen.getByRole('button', { name: /^Changer ?le titre/ }))
    await fill(user, await screen.findByLabelText('Titre'), ' !')
    await user.click(screen.getByRole('button', { name: 'Revenir au récapitulatif' }))
    await heading('Avant de sceller')
    expect(screen.getByText('Une lettre pour Léa !')).toBeTruthy()
  })

  test('a refused field is shown at its step, and a full plan beside the seal, with nothing lost', async () => {
    const { user } = open('/create', refusal('invalid_input', { title: 'Ce titre est refusé' }))
    await writeToLea(user)
    await goOn(user)
    await heading('Avant de sceller')
    await user.click(screen.getByRole('button', { name: 'Sceller' }))
    expect(await screen.findByText('Ce titre est refusé')).toBeTruthy()
    expect((await words()).value).toBe('Dans un an, tu liras ceci.')
    const full = sealingDoor({ refused: refusal('plan_limit') })
    fakeServer.use(...full.handlers)
    await fill(user, screen.getByLabelText('Titre'), ' bis')
    await user.click(screen.getByRole('button', { name: 'Revenir au récapitulatif' }))
    await heading('Avant de sceller')
    await user.click(screen.getByRole('button', { name: 'Sceller' }))
    expect(await screen.findByText(/Votre lettre est gardée sur cet appareil/)).toBeTruthy()
    expect(screen.getByRole('link', { name: /plans/ }).getAttribute('target')).toBe('_blank')
    expect(savedDraft(author.id)?.values.content).toBe('Dans un an, tu liras ceci.')
  })

  test('all of it is seen on one page, and step by step again, with the same words', async () => {
    const { user } = open()
    await writeToLea(user)
    await user.click(screen.getByRole('button', { name: 'Tout voir' }))
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Contenu')).value).toBe(
      'Dans un an, tu liras ceci.',
    )
    await fill(user, screen.getByLabelText('Contenu'), ' Promis.')
    await user.click(screen.getByRole('button', { name: 'Pas à pas' }))
    await heading(/^Quand/)
    await user.click(screen.getByRole('button', { name: 'Retour' }))
    expect((await words()).value).toMatch(/Promis\.$/)
  })
})
