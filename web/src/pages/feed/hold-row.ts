/**
 * Cards side by side are as tall as the tallest of them. When one grows with its comments, the others of its row keep the
 * height they had instead of stretching with it.
 */
export function holdRow(card: HTMLElement): void {
  const place = card.closest('li')
  if (!place) return
  place.style.alignSelf = ''
  place.style.minHeight = ''
  for (const other of othersOfRow(place)) {
    other.style.minHeight = `${other.offsetHeight}px`
    other.style.alignSelf = 'start'
  }
}

/** Lets the row be of one height again, once none of its cards is open. */
export function releaseRow(card: HTMLElement): void {
  const place = card.closest('li')
  if (!place) return
  const others = othersOfRow(place)
  if (others.some((other) => other.querySelector('[data-grows]'))) return
  for (const other of others) {
    other.style.minHeight = ''
    other.style.alignSelf = ''
  }
}

function othersOfRow(place: HTMLElement): HTMLElement[] {
  return [...walk(place, 'previousElementSibling'), ...walk(place, 'nextElementSibling')]
}

function* walk(place: HTMLElement, step: 'previousElementSibling' | 'nextElementSibling') {
  let other = place[step]
  while (other instanceof HTMLElement && other.offsetTop === place.offsetTop) {
    yield other
    other = other[step]
  }
}
