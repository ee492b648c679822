import { matchPath } from 'react-router'
import type { Address } from '#web/lib/first-screen.ts'
import type { LazyPage } from './lazy-page.tsx'
import {
  AccessibilityPage,
  DemoPage,
  DetailPage,
  HomePage,
  LegalPage,
  PredictionsPage,
  PrivacyPage,
  TermsPage,
} from './pages.ts'
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
  { pattern: paths.demo, page: DemoPage, module: 'src/pages/demo/demo-page.tsx' },
  {
    pattern: paths.predictions,
    page: PredictionsPage,
    module: 'src/pages/predictions/predictions-page.tsx',
  },
  {
    pattern: paths.revelation(':id'),
    page: DetailPage,
    module: 'src/pages/detail/detail-page.tsx',
  },
  { pattern: paths.legal, page: LegalPage, module: 'src/pages/legal/legal-page.tsx' },
  { pattern: paths.privacy, page: PrivacyPage, module: 'src/pages/legal/privacy-page.tsx' },
  { pattern: paths.terms, page: TermsPage, module: 'src/pages/legal/terms-page.tsx' },
  {
    pattern: paths.accessibility,
    page: AccessibilityPage,
    module: 'src/pages/legal/accessibility-page.tsx',
  },
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
