import { useNavigation } from 'react-router'

/** While the code of the next page is on its way: a line at the top, where that takes a while. */
export function PageTurning() {
  if (useNavigation().state === 'idle') return null
  return (
    <div role="status" className="appear-late fixed inset-x-0 top-0 z-50">
      <div className="h-1 animate-pulse bg-wax" />
      <span className="sr-only">Chargement de la page</span>
    </div>
  )
}
