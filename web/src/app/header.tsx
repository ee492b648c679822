import { Menu, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { RequestsBadge } from '#web/features/relationships/requests-badge.tsx'
import { SITE_NAME } from '#web/lib/site-name.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { Navigation } from './navigation.tsx'
import { paths } from './paths.ts'
import { useSignOut } from './use-sign-out.tsx'

const MENU_ID = 'menu'

export function Header() {
  const { user } = useSession()
  const { question, ...leaving } = useSignOut()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const header = useRef<HTMLElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const { key } = useLocation()
  const [shownKey, setShownKey] = useState(key)
  if (key !== shownKey) {
    setShownKey(key)
    setMenuOpen(false)
  }
  useEffect(() => {
    if (!isMenuOpen) return
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setMenuOpen(false)
      toggle.current?.focus()
    }
    const closeOutside = (event: PointerEvent) => {
      if (!header.current?.contains(event.target as Node)) setMenuOpen(false)
    }
    document.addEventListener('keydown', closeOnEscape)
    document.addEventListener('pointerdown', closeOutside)
    return () => {
      document.removeEventListener('keydown', closeOnEscape)
      document.removeEventListener('pointerdown', closeOutside)
    }
  }, [isMenuOpen])

  return (
    <header
      ref={header}
      className="sky-night horizon-line sticky top-0 z-40 bg-ground text-ink print:hidden"
    >
      <div className="content flex min-h-16 items-center gap-4">
        <Link
          to={paths.home}
          className="-ml-1 flex min-h-11 items-center gap-2.5 pr-2 font-serif text-xl"
          style={{ fontWeight: 600 }}
        >
          <WaxSeal initial="R" className="size-8" />
          {SITE_NAME}
        </Link>
        {/* All that signed-in people go to needs a wider line. */}
        <nav
          aria-label="Navigation principale"
          className={`ml-auto hidden ${user ? 'xl:block' : 'lg:block'}`}
        >
          <Navigation direction="row" leaving={leaving} />
        </nav>
        <IconButton
          ref={toggle}
          className={`ml-auto ${user ? 'xl:hidden' : 'lg:hidden'}`}
          label={isMenuOpen ? 'Fermer le menu' : 'Ouvrir le menu'}
          aria-expanded={isMenuOpen}
          aria-controls={isMenuOpen ? MENU_ID : undefined}
          onClick={() => setMenuOpen(!isMenuOpen)}
          icon={
            isMenuOpen ? (
              <X aria-hidden="true" className="size-6 text-ink" />
            ) : (
              <span className="relative">
                <Menu aria-hidden="true" className="size-6 text-ink" />
                {user && (
                  <span className="absolute -top-3 left-3">
                    <RequestsBadge />
                  </span>
                )}
              </span>
            )
          }
        />
      </div>
      {isMenuOpen && (
        <nav
          id={MENU_ID}
          aria-label="Menu"
          className="content absolute inset-x-0 top-full w-full border-line border-t bg-ground px-4 pt-2 pb-5 shadow-soft xl:hidden"
        >
          <Navigation direction="column" leaving={leaving} />
        </nav>
      )}
      {question}
    </header>
  )
}
