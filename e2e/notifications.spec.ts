import { expect } from '@playwright/test'
import { test } from './journey.ts'
import { openBeside, origin, postJson, putJson, sealThrough, signIn } from './people.ts'

test('what others do is counted live, grouped, led to, switched off, and gone with its letter @both', async ({
  page,
}) => {
  const author = await signIn(page)
  const letter = await sealThrough(author, { title: 'Le nouveau toit', visibility: 'public' })
  const alice = await signIn(await openBeside(page))
  const bruno = await signIn(await openBeside(page))
  const about = { revelation_id: letter.id }
  const react = (token: string) => postJson('/api/reactions', { ...about, emoji: '❤️' }, token)
  await page.goto(`${origin()}/legal`)
  const bell = page.getByRole('banner').getByRole('link', { name: /^(?:Notifications|\d+ not)/ })
  await expect(bell).toHaveAccessibleName('Notifications')

  // On a page that is open already, without a reload.
  await react(alice.token)
  await expect(bell).toHaveAccessibleName('1 notification non lue')
  await react(bruno.token)
  await postJson('/api/comments', { ...about, content: 'Vivement demain.' }, alice.token)
  await expect(bell).toHaveAccessibleName('2 notifications non lues')
  const request = { receiver_id: author.id, type: 'friend' }
  await postJson('/api/relationships/request', request, bruno.token)
  await expect(bell).toHaveAccessibleName('3 notifications non lues')

  await bell.click()
  const list = page.getByRole('main')
  const both = `@${bruno.pseudo} et une autre personne ont réagi à « Le nouveau toit ».`
  await expect(list.getByRole('link', { name: both })).toBeVisible()
  await list.getByRole('link', { name: `@${alice.pseudo} a commenté` }).click()
  await expect(page).toHaveURL(`${origin()}/revelation/${letter.id}#commentaires`)
  await expect(page.getByText('Vivement demain.')).toBeVisible()
  // Being there is reading it.
  await expect(bell).not.toHaveAccessibleName('3 notifications non lues')

  await putJson('/api/notifications/switches', { page: { reaction: false } }, author.token)
  const carla = await signIn(await openBeside(page))
  await react(carla.token)
  await postJson('/api/comments', { ...about, content: 'Moi aussi.' }, carla.token)
  await page.goto(`${origin()}/notifications`)
  await expect(list.getByRole('link', { name: `@${carla.pseudo} a commenté` })).toBeVisible()
  await expect(list.getByText(/réagi/)).toHaveCount(0)

  const token = { authorization: `Bearer ${author.token}` }
  await fetch(`${origin()}/api/revelations/${letter.id}`, { method: 'DELETE', headers: token })
  await page.reload()
  await expect(list.getByRole('link', { name: `@${bruno.pseudo}` }).first()).toBeVisible()
  await expect(list.getByText('Le nouveau toit')).toHaveCount(0)
})
