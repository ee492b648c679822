import { act, fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { standInForSight } from '#web/test/sight-stand-ins.ts'
import { NearbyItem } from './revelation-list.tsx'

function renderPlace(id: string) {
  const bringIntoView = standInForSight()
  const { container } = render(
    <ul>
      <NearbyItem id={id}>
        <button type="button">Réagir</button>
      </NearbyItem>
    </ul>,
  )
  const place = container.querySelector('li') as HTMLLIElement
  vi.spyOn(place, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 300, 512))
  const see = (isSeen: boolean) => act(() => bringIntoView(place, isSeen))
  return { place, see }
}

test('a card far from the viewport leaves its height behind, and is rendered again when it comes near', () => {
  const { place, see } = renderPlace('far')
  see(false)
  expect(screen.queryByRole('button')).toBeNull()
  expect((place.firstElementChild as HTMLElement).style.height).toBe('512px')
  see(true)
  expect(screen.getByRole('button', { name: 'Réagir' })).toBeTruthy()
})

test('a card that somebody touched stays rendered', () => {
  const { see } = renderPlace('touched')
  fireEvent.pointerDown(screen.getByRole('button'))
  see(false)
  expect(screen.getByRole('button', { name: 'Réagir' })).toBeTruthy()
})
