import { expect, type Page } from '@playwright/test'
import { untilStored } from './device.ts'
import { test } from './journey.ts'
import { linkIn, mailTo } from './mails.ts'
import { breakSeal } from './moments.ts'
import { newPseudo, openBeside, origin, sealThrough, signIn } from './people.ts'

const WORDS = 'Je l’ai lue deux fois, puis à voix haute.'
const ANSWER = 'Alors j’ai bien fait de l’écrire.'

test('whoever opened a letter answers with a heart and a voice, and its author writes back', {
  tag: '@phone',
}, async ({ page }) => {
  const author = await signIn(page)
  const addressee = `${newPseudo()}@exemple.test`
  const { id } = await sealThrough(author, {
    visibility: 'private',
    target_email: addressee,
    reveal_date: new Date(Date.now() + 2_000).toISOString(),
  })
  const reader = await openBeside(page)
  await reader.goto(linkIn(await mailTo(addressee, /lettre .*s’est ouverte/), '/revelation/'))
  await breakSeal(reader)

  const composer = reader.getByRole('region', { name: `Dites à @${author.pseudo}` })
  await expect(composer).toContainText(`Votre réponse n’est lue que par @${author.pseudo}.`)
  await composer.getByRole('button', { name: 'Un cœur' }).click()
  const own = reader.getByRole('region', { name: `Votre réponse à @${author.pseudo}` })
  await expect(own.getByText('Votre réponse est partie.')).toBeVisible()
  await own.getByRole('button', { name: 'Ajouter un mot ou votre voix' }).click()
  await own.getByRole('textbox', { name: 'Un mot' }).fill(WORDS)
  await record(reader)
  await untilStored(reader, 'durationSeconds')
  await reader.reload()
  await expect(own.getByRole('button', { name: 'Écouter votre voix' })).toBeVisible()
  await expect(own.getByRole('textbox', { name: 'Un mot' })).toHaveValue(WORDS)
  await own.getByRole('button', { name: 'Envoyer', exact: true }).click()
  await expect(own.getByRole('button', { name: 'Écouter votre réponse' })).toBeVisible()
  await expect(own.getByRole('listitem')).toHaveCount(2)

  await page.goto(`${origin()}/revelation/${id}`)
  const received = page.getByRole('region', { name: 'Réponses' })
  await expect(received.getByRole('listitem')).toHaveCount(2)
  await expect(received.getByText('❤️')).toBeVisible()
  const spoken = received.getByRole('listitem').filter({ hasText: WORDS })
  await expect(spoken.getByText('Nouvelle')).toBeVisible()
  await spoken.getByRole('button', { name: /^Écouter la réponse/ }).click()
  await expect(spoken.getByRole('button', { name: /^Mettre la réponse/ })).toBeVisible()
  await spoken.getByRole('button', { name: 'Répondre', exact: true }).click()
  await spoken.getByRole('textbox', { name: /^Votre réponse à/ }).fill(ANSWER)
  await spoken.getByRole('button', { name: 'Envoyer la réponse' }).click()
  await expect(spoken.getByText('Vous avez répondu')).toBeVisible()

  await reader.reload()
  const answered = own.getByRole('listitem').filter({ hasText: WORDS })
  await expect(answered.getByText(ANSWER)).toBeVisible()
  await expect(answered.getByText(`Lue par @${author.pseudo}`)).toBeVisible()
  // A stranger who reads the letter’s address has none of it.
  const stranger = await openBeside(page)
  await stranger.goto(`${origin()}/revelation/${id}`)
  await expect(stranger.getByText('Rien à cette adresse')).toBeVisible()
})

async function record(reader: Page): Promise<void> {
  await reader.getByRole('button', { name: 'Répondre de vive voix' }).click()
  const timer = reader.getByRole('timer')
  const seconds = async () => Number((await timer.innerText()).split(':').at(-1))
  await expect.poll(seconds).toBeGreaterThanOrEqual(2)
  await reader.getByRole('button', { name: 'Pause' }).click()
  await reader.getByRole('button', { name: 'Reprendre' }).click()
  await reader.getByRole('button', { name: 'Terminer' }).click()
  await expect(reader.getByRole('button', { name: 'Écouter votre voix' })).toBeVisible()
}
