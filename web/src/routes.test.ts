import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { handleOf } from './app/page-handle.ts'
import { paths } from './lib/paths.ts'
import { routes } from './routes.tsx'

const MODULES = Object.keys(import.meta.glob('./pages/**/*.tsx'))

test.each(Object.entries(paths))('« %s » leads to a page of the table', (_name, path) => {
  const address = typeof path === 'string' ? path : (path as (id: string) => string)('abc')
  const { pathname } = new URL(address, 'https://a.test')
  const route = matchRoutes(routes, pathname)?.at(-1)?.route
  expect(handleOf(route)).toBeDefined()
  // The server announces the code of a page by the name of its module.
  expect(MODULES.filter((file) => file.endsWith(`/${route?.id}.tsx`))).toHaveLength(1)
})
