import { matchPath } from 'react-router'
import type { Address } from '#web/lib/first-screen.ts'
import type { LazyPage } from './lazy-page.tsx'
import { DetailPage, HomePage, LegalPage } from './pages.ts'
import { paths } from './paths.ts'

interface Screen {
  pattern: string
  page: LazyPage
  /** Where the page's code is, as the build's manifest names it. */
  module: string
}

/**
 * The pages whose first screen the server makes. Forms that carry a password are not among them: until the browser has
 * their code, sending one would put it into the address.
 */
const SCREENS: Screen[] = [
  { pattern: paths.home, page: HomePage, module: 'src/pages/home/home-page.tsx' },
  {
    pattern: paths.revelation(':id'),
    page: DetailPage,
    module: 'src/pages/detail/detail-page.tsx',
  },
  { pattern: paths.legal, page: LegalPage, module: 'src/pages/legal/legal-page.tsx' },
]

export function findScreen({ pathname, search }: { pathname: string; search: string }) {
  for (const { pattern, page, module } of SCREENS) {
    const match = matchPath(pattern, pathname)
    if (!match) continue
    const address: Address = { params: match.params, search: new URLSearchParams(search) }
    return { page, module, address }
  }
  return undefined
}
