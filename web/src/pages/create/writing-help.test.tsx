import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { KINDS } from '#contract/kinds.ts'
import { getUser } from '#contract/profiles.ts'
import { getSubscription } from '#contract/subscriptions.ts'
import { OCCASIONS, questionsFor } from '#web/features/revelations/helped-writing.ts'
import { standInForDatabases, standInForDisk } from '#web/test/disk-stand-ins.ts'
import { answer, fakeServer } from '#web/test/fake-api.ts'
import { aSubscription, myProfile } from '#web/test/people-samples.ts'
import { standInForRecorder } from '#web/test/recorder-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aUser } from '#web/test/samples.ts'
import { uploadDoor } from '#web/test/upload-door.ts'

type Questions = [string, string, string]

/** Its narrow space is one to whoever looks for a label. */
const asSeen = (question: string) => question.replace('\u202F', ' ')

let device: ReturnType<typeof standInForRecorder>

standInForDatabases()
// The page’s code, and that of the sheet, once.
beforeAll(async () => {
  await import('./create-page.tsx')
  await import('#web/features/revelations/help-sheet.tsx')
})
beforeEach(() => {
  device = standInForRecorder()
  standInForDisk({ room: 1024 ** 3 })
  fakeServer.use(
    answer(getUser, myProfile({ total_revelations: 2 })),
    answer(getSubscription, aSubscription()),
  )
})

/** The sheet over a letter of two sentences, with the caret between them. */
async function askForHelp() {
  const user = renderPage('/create?vue=tout', { user: aUser(), api: uploadDoor().handlers })
  const content = await screen.findByLabelText<HTMLTextAreaElement>('Contenu')
  await user.type(content, 'Bonjour Léa.')
  await user.paste('Je t’embrasse.')
  content.setSelectionRange(12, 12)
  await user.click(screen.getByRole('button', { name: 'M’aider à écrire' }))
  const sheet = within(await screen.findByRole('dialog', { name: 'M’aider à écrire' }))
  const next = (name: string) => user.click(sheet.getByRole('button', { name }))
  return { user, content, sheet, next }
}

test('answers become paragraphs at the caret, without the questions, and may be taken back', async () => {
  const { user, content, sheet, next } = await askForHelp()
  await next('Un merci')
  const [first, second, third] = questionsFor('letter', 'thanks').map(asSeen) as Questions
  const field = sheet.getByLabelText(first)
  expect(sheet.getByText('Question 1 sur 3')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(field))
  await user.paste('Pour le jardin.')
  await next('Suivante')
  expect(sheet.getByLabelText(second)).toBeTruthy()
  await next('Passer')
  await user.click(sheet.getByLabelText(third))
  await user.paste('Je planterais un arbre.')
  await next('Ajouter à ma lettre')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(content.value).toBe(
    'Bonjour Léa.\n\nPour le jardin.\n\nJe planterais un arbre.\n\nJe t’embrasse.',
  )
  await waitFor(() => expect(document.activeElement).toBe(content))
  await user.click(screen.getByRole('button', { name: 'Annuler' }))
  expect(content.value).toBe('Bonjour Léa.Je t’embrasse.')
  expect(screen.queryByRole('button', { name: 'Annuler' })).toBeNull()
})

test('what was answered is still there when one comes back to the sheet', async () => {
  const { user, sheet, next } = await askForHelp()
  await next('Un départ')
  const [first] = questionsFor('letter', 'leaving').map(asSeen) as Questions
  await user.click(sheet.getByLabelText(first))
  await user.paste('Ton rire.')
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'M’aider à écrire' }))
  expect((await screen.findByLabelText<HTMLTextAreaElement>(first)).value).toBe('Ton rire.')
})

test('an answer is spoken where it can be the one file of the letter', async () => {
  const { sheet, next } = await askForHelp()
  await next('Juste comme ça')
  await next('Répondre à voix haute')
  await sheet.findByRole('button', { name: 'Terminer' })
  act(() => device.recorder().speak('Ce jour-là…'))
  await next('Terminer')
  expect(await sheet.findByText(/Votre réponse à voix haute est jointe/)).toBeTruthy()
  await next('Suivante')
  expect(sheet.queryByRole('button', { name: 'Répondre à voix haute' })).toBeNull()
  expect(screen.getByText(/^reponse/)).toBeTruthy()
})

test('every kind and occasion has three questions, none of which supposes who writes', () => {
  for (const kind of KINDS) {
    for (const occasion of OCCASIONS) {
      const questions = questionsFor(kind, occasion)
      expect(new Set(questions).size).toBe(3)
      for (const question of questions) {
        expect(question).toMatch(/^[A-ZÀÉÊ].*\u202F\?$/)
        expect(question).not.toMatch(/\b(fier|fière|heureux|heureuse|content|contente)\b/)
      }
    }
  }
})
