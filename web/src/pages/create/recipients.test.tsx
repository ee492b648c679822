import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  listRecentRecipients,
  notifyRevelation,
  type RecentRecipient,
} from '#contract/deliveries.ts'
import { getUser } from '#contract/profiles.ts'
import { listRelationships, type Relationship } from '#contract/relationships.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { savedDraft } from '#web/test/draft-samples.ts'
import { answer, fakeServer, type Refusal, refusal } from '#web/test/fake-api.ts'
import { aRelationship, aSubscription, myProfile } from '#web/test/people-samples.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'
import { findRecap, findSealed, sealingDoor } from '#web/test/sealing-door.ts'

const author = aUser()

beforeAll(() => import('./create-page.tsx'))
beforeEach(() => {
  fakeServer.use(
    answer(getUser, myProfile({ total_revelations: 2 })),
    answer(getSubscription, aSubscription()),
  )
})

interface Scene {
  relationships?: Relationship[]
  recent?: RecentRecipient[]
  refused?: Refusal
}

/** The page of a letter that lacks only its recipients. */
async function open({ relationships = [], recent = [], refused }: Scene = {}) {
  const { handlers, sealed } = sealingDoor({ refused })
  const user = renderPage('/create?vue=tout', {
    user: author,
    api: [
      answer(listRelationships, { relationships }),
      answer(listRecentRecipients, { people: recent }),
      ...handlers,
      answer(notifyRevelation, { queued: true }),
    ],
  })
  await user.click(await screen.findByLabelText('Titre'))
  await user.paste('Ce qui sera')
  await user.click(screen.getByLabelText('Contenu'))
  await user.paste('Nous vivrons à Lisbonne.')
  const seal = async () => {
    await user.click((await review(user)).getByRole('button', { name: 'Sceller' }))
    if (refused) return
    await findSealed()
  }
  return { user, sealed, seal }
}

async function review(user: UserEvent) {
  await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
  return findRecap()
}

function addresses(): string[] {
  return screen.getAllByLabelText<HTMLInputElement>(ADDRESS).map(({ value }) => value)
}

function names(): string[] {
  return screen.getAllByLabelText<HTMLInputElement>(NAME).map(({ value }) => value)
}

const FIRST = 'E-mail du destinataire'
const NAME = /^(Son prénom|Prénom de la)/
const ADDRESS = /^(E-mail du destinataire|Adresse de la \d+e personne)$/

async function paste(user: UserEvent, label: string, text: string) {
  await user.click(screen.getByLabelText(label))
  await user.paste(text)
}

const ADDS = /^(Ajouter quelqu’un|Une autre adresse)$/
const add = (user: UserEvent) => user.click(screen.getByRole('button', { name: ADDS }))

/** Who was chosen by name, and stands there without a row. */
function chosen(): (string | null)[] {
  const list = screen.queryByRole('list', { name: 'Ceux qui la recevront' })
  return list
    ? within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    : []
}

describe('the recipients', () => {
  test('are several people, each with an address and maybe a name', async () => {
    const { user, sealed, seal } = await open()
    await paste(user, FIRST, 'lea@exemple.be')
    await user.type(screen.getByLabelText('Son prénom'), 'Léa')
    expect(screen.queryByRole('switch')).toBeNull()
    await add(user)
    expect(document.activeElement).toBe(screen.getByLabelText('Adresse de la 2e personne'))
    await user.paste('papa@exemple.be')
    await user.click(screen.getByRole('switch', { name: /^Tous se voient/ }))
    // A row without a word is not sent.
    await add(user)
    await seal()
    expect(sealed[0]).toMatchObject({
      target_email: 'lea@exemple.be',
      recipients: [
        { email: 'lea@exemple.be', name: 'Léa' },
        { email: 'papa@exemple.be', name: null },
      ],
      recipients_see_each_other: true,
    })
  })

  test('see nothing of each other once one is left', async () => {
    const { user, sealed, seal } = await open()
    await paste(user, FIRST, 'lea@exemple.be, papa@exemple.be')
    await user.click(screen.getByRole('switch', { name: /^Tous se voient/ }))
    await user.click(screen.getByRole('button', { name: 'Retirer papa@exemple.be' }))
    await seal()
    expect(sealed[0]).toMatchObject({
      recipients: [{ email: 'lea@exemple.be', name: null }],
      recipients_see_each_other: false,
    })
  })

  test('come from a pasted list, each once, twenty at most', async () => {
    const { user } = await open()
    await paste(
      user,
      FIRST,
      'Léa Roux <lea@exemple.be>; "Roux, Tom" <tom@exemple.be>,papa@exemple.be\nLEA@exemple.be',
    )
    expect(addresses()).toEqual(['lea@exemple.be', 'tom@exemple.be', 'papa@exemple.be'])
    expect(names()).toEqual(['Léa Roux', 'Roux, Tom', ''])
    expect(screen.getByText('3 personnes ajoutées. 1 y était déjà.')).toBeTruthy()
    await add(user)
    const many = Array.from({ length: 20 }, (_, index) => `ami${index}@exemple.be`)
    await user.paste(many.join(' '))
    expect(addresses()).toHaveLength(20)
    expect(
      screen.getByText('17 personnes ajoutées. 20 personnes au plus : 3 n’ont pas de place.'),
    ).toBeTruthy()
    expect(screen.queryByRole('button', { name: ADDS })).toBeNull()
  })

  test('may not be the same person twice, which stands beside the second', async () => {
    const { user, sealed, seal } = await open()
    await paste(user, FIRST, 'lea@exemple.be')
    await add(user)
    await user.paste('LEA@exemple.be')
    await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
    const second = screen.getByLabelText('Adresse de la 2e personne')
    await waitFor(() => expect(second.getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByText('Cette adresse est déjà celle d’un autre destinataire')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(second))
    await user.type(second, '.fr')
    await seal()
    expect(sealed[0]?.recipients).toHaveLength(2)
  })

  test('are no longer said to be the same once the other has changed or gone', async () => {
    const { user } = await open()
    await paste(user, FIRST, 'lea@exemple.be')
    await add(user)
    await user.paste('lea@exemple.be')
    const sentence = 'Cette adresse est déjà celle d’un autre destinataire'
    await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
    expect(await screen.findByText(sentence)).toBeTruthy()
    await user.type(screen.getByLabelText(FIRST), '.fr')
    await waitFor(() => expect(screen.queryByText(sentence)).toBeNull())
    await user.type(screen.getByLabelText(FIRST), '{Backspace}{Backspace}{Backspace}')
    await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
    expect(await screen.findByText(sentence)).toBeTruthy()
    const [first] = screen.getAllByRole('button', { name: 'Retirer lea@exemple.be' })
    if (first) await user.click(first)
    await waitFor(() => expect(screen.queryByText(sentence)).toBeNull())
    expect(addresses()).toEqual(['lea@exemple.be'])
  })

  test('go one by one, and the focus stays among them', async () => {
    const { user } = await open()
    await paste(user, FIRST, 'lea@exemple.be papa@exemple.be tom@exemple.be')
    await user.click(screen.getByRole('button', { name: 'Retirer papa@exemple.be' }))
    const next = () => screen.getByRole('button', { name: 'Retirer tom@exemple.be' })
    await waitFor(() => expect(document.activeElement).toBe(next()))
    await user.keyboard('{Enter}')
    expect(addresses()).toEqual(['lea@exemple.be'])
    expect(screen.queryByRole('button', { name: /^Retirer/ })).toBeNull()
    const adds = screen.getByRole('button', { name: ADDS })
    await waitFor(() => expect(document.activeElement).toBe(adds))
  })

  test('of which the server refuses one say so in its row, blank rows or not', async () => {
    const message = 'Cette adresse n’existe pas'
    const { user, seal } = await open({
      refused: refusal('invalid_input', { 'recipients.1.email': message }),
    })
    await paste(user, FIRST, 'lea@exemple.be tom@exemple.be papa@exemple.be')
    await user.clear(screen.getByLabelText('Adresse de la 2e personne'))
    await seal()
    const third = await screen.findByLabelText('Adresse de la 3e personne')
    expect(third.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(third))
    expect(screen.getAllByText(message)).toHaveLength(1)
  })

  test('that are too many today are said to be, beside the last', async () => {
    const { user, seal } = await open({ refused: refusal('too_many_addressees') })
    await paste(user, FIRST, 'lea@exemple.be papa@exemple.be')
    await seal()
    const second = await screen.findByLabelText('Adresse de la 2e personne')
    await waitFor(() => expect(document.activeElement).toBe(second))
    expect(screen.getByText(/Chaque destinataire compte/).textContent).toMatch(
      /^Vous avez écrit à trop d’adresses/,
    )
  })

  test('come back with the draft, a former second address too', async () => {
    const key = `revelation-draft:${author.id}`
    const former = {
      ...{ title: 'Un brouillon', content: '', day: '2030-01-01', time: '' },
      ...{ category: 'love', visibility: 'friends' },
      ...{ target_email: 'lea@exemple.be', second_email: 'papa@exemple.be' },
    }
    localStorage.setItem(key, JSON.stringify(former))
    const { user } = await open()
    expect(addresses()).toEqual(['lea@exemple.be', 'papa@exemple.be'])
    await user.type(screen.getByLabelText('Prénom de la 2e personne'), 'Papa')
    expect(savedDraft(author.id)?.values).toMatchObject({
      recipients: [
        { email: 'lea@exemple.be', name: '' },
        { email: 'papa@exemple.be', name: 'Papa' },
      ],
    })
  })
})

describe('the recap', () => {
  test('says for whom by name, with each address, and what each receives when', async () => {
    const { user } = await open()
    await paste(user, FIRST, 'Léa <lea@exemple.be>, Papa <papa@exemple.be>')
    await paste(user, FIRST, `a@exemple.be b@exemple.be ${author.email}`)
    const recap = await review(user)
    expect(recap.getByText('Léa, Papa et 3 autres')).toBeTruthy()
    for (const address of ['lea@exemple.be', 'papa@exemple.be', 'b@exemple.be', author.email]) {
      expect(recap.getByText(address)).toBeTruthy()
    }
    expect(recap.getByText(/^À la date, chacun reçoit par e-mail/)).toBeTruthy()
    expect(recap.getByText(/^Dès maintenant, un e-mail part à chacun, sauf vous/)).toBeTruthy()
    expect(recap.getByText('Personne ne sait pour qui d’autre elle est.')).toBeTruthy()
  })

  test('of a letter to oneself promises no mail now', async () => {
    const { user } = await open()
    expect(screen.getByRole('checkbox', { name: /^Prévenir/ })).toBeTruthy()
    await paste(user, FIRST, author.email)
    expect(screen.queryByRole('checkbox', { name: /^Prévenir/ })).toBeNull()
    const recap = await review(user)
    // Everybody may see it, so those close to its author learn of it.
    expect(recap.getByText(/^Vos amis et votre famille apprennent qu’elle existe/)).toBeTruthy()
  })
})

describe('close people', () => {
  const relationships = [
    aRelationship('zoe'),
    aRelationship('papa', { relationship_type: 'family' }),
    aRelationship('lea', { relationship_type: 'family' }),
    aRelationship('marc', {
      relationship_type: 'family',
      related_user: {
        id: 'user-marc',
        pseudo: 'marc',
        email: null,
        email_verified: false,
        avatar_url: null,
      },
    }),
  ]

  const CHANGES = ', changer son adresse ou son prénom'

  test('are chosen by name, the whole family at once, and left out again', async () => {
    const { user, sealed, seal } = await open({ relationships })
    const family = await screen.findByRole('button', { name: 'Toute ma famille (2)' })
    await user.click(family)
    expect(chosen()).toEqual(['lea', 'papa'])
    expect(screen.queryByLabelText(FIRST)).toBeNull()
    expect(family.getAttribute('aria-pressed')).toBe('true')
    expect(screen.getByText(/^marc n’a pas d’adresse vérifiée/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'lea' }))
    expect(chosen()).toEqual(['papa'])
    expect(family.getAttribute('aria-pressed')).toBe('false')
    await user.click(screen.getByRole('button', { name: 'zoe' }))
    await user.click(screen.getByRole('button', { name: 'Retirer papa' }))
    await add(user)
    await user.paste('tom@exemple.be')
    await seal()
    expect(sealed[0]?.recipients).toEqual([
      { email: 'zoe@exemple.be', name: 'zoe' },
      { email: 'tom@exemple.be', name: null },
    ])
  })

  test('have their address and name a touch away, and open beside what is refused of them', async () => {
    const message = 'Cette adresse n’existe pas'
    const { user, seal } = await open({
      relationships,
      refused: refusal('invalid_input', { 'recipients.0.email': message }),
    })
    await user.click(await screen.findByRole('button', { name: 'papa' }))
    await user.click(screen.getByRole('button', { name: `papa${CHANGES}` }))
    const field = screen.getByLabelText<HTMLInputElement>(FIRST)
    expect([field.value, document.activeElement]).toEqual(['papa@exemple.be', field])
    await user.type(screen.getByLabelText('Son prénom'), 'pounet')
    await user.tab()
    expect(chosen()).toEqual(['papapounet'])
    await user.click(screen.getByRole('button', { name: `papapounet${CHANGES}` }))
    await user.click(screen.getByRole('button', { name: 'zoe' }))
    await user.click(screen.getByRole('button', { name: 'papa' }))
    expect(chosen()).toEqual(['zoe'])
    await seal()
    expect(await screen.findByText(message)).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(FIRST)))
  })

  test('leave a blank row that is no mistake yet, once the last one goes', async () => {
    const { user } = await open({ relationships })
    await user.click(await screen.findByRole('button', { name: 'papa' }))
    await user.click(
      (await review(user)).getByRole('button', { name: 'Changer les destinataires' }),
    )
    await add(user)
    await user.click(await screen.findByRole('button', { name: 'Retirer papa' }))
    expect(screen.getByText('1 personne retirée.')).toBeTruthy()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Toute ma famille (2)'))
    const field = await screen.findByLabelText(FIRST)
    // Nor is there one where somebody asks for the row that is there.
    await add(user)
    expect(addresses()).toEqual([''])
    expect(document.activeElement).toBe(field)
    expect(field.getAttribute('aria-invalid')).not.toBe('true')
    await user.click(screen.getByRole('button', { name: 'Relire avant de sceller' }))
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  })

  test('are searched where they are many', async () => {
    const many = Array.from({ length: 14 }, (_, index) => aRelationship(`ami${index}`))
    const { user } = await open({ relationships: [...many, aRelationship('Élodie')] })
    expect(await screen.findByRole('button', { name: 'ami0' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Élodie' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Voir les 15' }))
    await user.type(screen.getByLabelText('Chercher parmi vos proches'), 'elo')
    expect(screen.queryByRole('button', { name: 'ami0' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Élodie' }))
    expect(chosen()).toEqual(['Élodie'])
  })

  test('that one wrote to lately come first, by the names one gave them', async () => {
    const last_at = new Date().toISOString()
    const { user, sealed, seal } = await open({
      relationships: [aRelationship('zoe'), aRelationship('abel')],
      recent: [
        { email: 'mamie@exemple.be', name: 'Mamie', last_at },
        { email: 'ZOE@exemple.be', name: 'Zouzou', last_at },
        { email: 'inconnu@exemple.be', name: null, last_at },
      ],
    })
    const recent = within(await screen.findByRole('group', { name: 'Récents' }))
    const names = (group: typeof recent) =>
      group.getAllByRole('button').map(({ textContent }) => textContent)
    expect(names(recent)).toEqual(['Mamie', 'inconnu@exemple.be'])
    expect(names(within(screen.getByRole('group', { name: 'Amis' })))).toEqual(['Zouzou', 'abel'])
    await user.click(recent.getByRole('button', { name: 'Mamie' }))
    await user.click(recent.getByRole('button', { name: 'inconnu@exemple.be' }))
    await seal()
    expect(sealed[0]?.recipients).toEqual([
      { email: 'mamie@exemple.be', name: 'Mamie' },
      { email: 'inconnu@exemple.be', name: null },
    ])
  })

  test('come from the address book of the device, where it lends it', async () => {
    const select = vi.fn(async () => [
      { name: ['Tante Ode'], email: ['ode@exemple.be'] },
      { name: ['Sans adresse'], email: [] },
    ])
    Object.assign(navigator, { contacts: { select } })
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'contacts'))
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Mes contacts' }))
    await waitFor(() => expect(chosen()).toEqual(['Tante Ode']))
    expect(select).toHaveBeenCalledWith(['name', 'email'], { multiple: true })
  })
})
