import { CalendarPlus } from 'lucide-react'
import { paths } from '#web/app/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyTab } from './empty-tab.tsx'
import { UnlitLanterns } from './unlit-lanterns.tsx'

export function EmptyCircle() {
  return (
    <EmptyTab
      drawing={<UnlitLanterns />}
      title="Votre Cercle Privé est vide"
      action={
        <ButtonLink
          to={paths.deliver}
          icon={<CalendarPlus aria-hidden="true" className="size-5" />}
          // On a phone it stands at the bottom of the screen already.
          className="max-sm:hidden"
        >
          Programmer une livraison
        </ButtonLink>
      }
    >
      Une lettre pour ses vingt ans, une vidéo pour Noël&nbsp;: ce que vous scellez ici, seule votre
      famille le verra.
    </EmptyTab>
  )
}

export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyTab
      drawing={<UnlitLanterns />}
      title="Aucune livraison trouvée"
      action={
        <Button variant="secondary" onClick={onClear}>
          Effacer la recherche et le filtre
        </Button>
      }
    >
      Rien dans votre cercle ne répond à ces mots et à ce filtre.
    </EmptyTab>
  )
}
