import { expect, test } from 'vitest'
import { findScreen } from './first-screens.ts'
import { findOther } from './other-pages.ts'
import { paths } from './paths.ts'

test.each(Object.entries(paths))('the server knows the page of « %s »', (_name, path) => {
  const url = new URL(typeof path === 'string' ? path : path('abc'), 'https://revelations.test')
  expect(findScreen(url) ?? findOther(url)).toBeDefined()
})
