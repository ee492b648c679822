import { Link } from 'react-router'
import { serverNow } from '#web/lib/clock.ts'
import { useDeviceLetters } from '#web/lib/delivery-key.ts'
import { paths } from '#web/lib/paths.ts'
import { licenceEmail, SITE_NAME } from '#web/lib/site.ts'

const linkClass = 'inline-flex min-h-11 items-center underline underline-offset-4 hover:text-ink'

export function Footer() {
  const hasDeviceLetters = useDeviceLetters().length > 0
  return (
    <footer className="mt-16 print:hidden border-line border-t bg-sunken text-ink-soft">
      <div className="container-page flex flex-col gap-x-10 gap-y-2 py-8 text-sm md:flex-row md:items-center md:justify-between">
        <div>
          <p className="font-semibold text-ink">
            © {new Date(serverNow()).getUTCFullYear()} {SITE_NAME}. Tous droits réservés.
          </p>
          <p>Œuvre protégée par le droit d’auteur · Belgique</p>
        </div>
        <div className="flex flex-wrap items-center gap-x-6">
          <a href={`mailto:${licenceEmail()}`} className={linkClass}>
            Licence&#8239;: {licenceEmail()}
          </a>
          <Link to={paths.demo} className={linkClass}>
            La démo
          </Link>
          <Link to={paths.proof} className={linkClass}>
            La preuve
          </Link>
          <Link to={paths.legal} className={linkClass}>
            Mentions légales
          </Link>
          <Link to={paths.privacy} className={linkClass}>
            Confidentialité
          </Link>
          <Link to={paths.terms} className={linkClass}>
            Conditions
          </Link>
          <Link to={paths.accessibility} className={linkClass}>
            Accessibilité
          </Link>
          {hasDeviceLetters && (
            <Link to={paths.deviceLetters} className={linkClass}>
              Mes lettres sur cet appareil
            </Link>
          )}
        </div>
      </div>
    </footer>
  )
}
