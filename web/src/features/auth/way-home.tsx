import { Link } from 'react-router'
import { paths } from '#web/app/paths.ts'

export function WayHome() {
  return (
    <Link
      to={paths.home}
      className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
    >
      Aller à l’accueil
    </Link>
  )
}
