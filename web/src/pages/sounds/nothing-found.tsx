import type { SoundFilter } from '#web/features/sounds/sound-filter.ts'
import { Button } from '#web/ui/button.tsx'

const WORDS: Record<string, string> = {
  favorites: 'Touchez le cœur d’un message pour le retrouver ici.',
  upcoming: 'Aucun message n’attend son heure pour l’instant.',
  mine: 'Personne ne vous a encore parlé en particulier.',
}

interface NothingFoundProps {
  kind: SoundFilter['kind']
  onClear: () => void
}

export function NothingFound({ kind, onClear }: NothingFoundProps) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <h2 className="text-2xl">Aucun message trouvé</h2>
      <p className="text-ink-soft">{WORDS[kind] ?? 'Rien ne répond à ces mots.'}</p>
      <Button variant="secondary" onClick={onClear}>
        Voir tous les messages
      </Button>
    </div>
  )
}
