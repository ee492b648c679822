import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { standInForMedia } from '#web/test/media-stand-ins.ts'
import { TeaserEditor } from './teaser-editor.tsx'

beforeEach(() => standInForMedia({ duration: 60 }))

function Editor({ duration = 60 }: { duration?: number }) {
  const [window, setWindow] = useState({ start: 0, end: 10 })
  return <TeaserEditor src="blob:film" duration={duration} window={window} onChange={setWindow} />
}

const start = () => screen.getByRole('slider', { name: 'Début de l’extrait' })
const end = () => screen.getByRole('slider', { name: 'Fin de l’extrait' })
const whole = () => screen.getByRole('slider', { name: 'Déplacer l’extrait' })
const spoken = (slider: HTMLElement) => slider.getAttribute('aria-valuetext')

test('both ends move from the keyboard, and say where they are', async () => {
  const user = userEvent.setup({ delay: null })
  render(<Editor />)
  end().focus()
  await user.keyboard('{ArrowRight}')
  expect(spoken(end())).toBe('10,1 secondes')
  await user.keyboard('{PageUp}{Shift>}{ArrowLeft}{/Shift}')
  expect(spoken(end())).toBe('14,1 secondes')
  await user.keyboard('{End}')
  expect(spoken(end())).toBe('30 secondes')
  start().focus()
  await user.keyboard('{End}')
  expect(spoken(start())).toBe('29 secondes')
  await user.keyboard('{Home}')
  expect(spoken(start())).toBe('0 seconde')
})

test('the whole window moves, and keeps its length', async () => {
  const user = userEvent.setup({ delay: null })
  render(<Editor />)
  whole().focus()
  await user.keyboard('{PageUp}{ArrowRight}')
  expect(spoken(whole())).toBe('de 5,1 secondes à 15,1 secondes')
  await user.keyboard('{End}')
  expect(spoken(whole())).toBe('de 50 secondes à 1 minute 0 seconde')
})

test('times can be typed, and what cannot be read is said', async () => {
  const user = userEvent.setup({ delay: null })
  render(<Editor />)
  const field = screen.getByLabelText('Fin')
  await user.clear(field)
  await user.type(field, 'bientôt{Enter}')
  expect(screen.getByText('Écrivez par exemple 1:05,3')).toBeTruthy()
  await user.clear(field)
  await user.type(field, '0:22,5{Enter}')
  expect(spoken(end())).toBe('22,5 secondes')
})

test.each([
  ['0:00,5', 'La fin de l’extrait doit être au moins 1 s après son début'],
  ['0:31', 'Le teaser dépasse la durée maximale autorisée'],
])('an end at %s is answered « %s »', async (typed, sentence) => {
  const user = userEvent.setup({ delay: null })
  render(<Editor />)
  const field = screen.getByLabelText('Fin')
  await user.clear(field)
  await user.type(field, `${typed}{Enter}`)
  expect(screen.getByText(sentence)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Lire l’extrait' }).disabled).toBe(
    true,
  )
})

test('a long video can be travelled through, the window in hand', () => {
  render(<Editor duration={600} />)
  expect(screen.getByRole('slider', { name: 'Parcourir toute la vidéo' })).toBeTruthy()
})
