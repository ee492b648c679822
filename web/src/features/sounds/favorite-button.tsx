import { Heart } from 'lucide-react'
import type { Sound } from '#contract/sounds.ts'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useToggleFavorite } from './sounds.queries.ts'

export function FavoriteButton({ sound }: { sound: Sound }) {
  const toggle = useToggleFavorite(sound.id)
  const isMine = sound.is_favorite
  return (
    <IconButton
      label={`Favori : ${sound.title}`}
      aria-pressed={isMine}
      title={isMine ? 'Retirer des favoris' : 'Ajouter aux favoris'}
      icon={
        <Heart
          aria-hidden="true"
          className={classNames('size-5', isMine && 'heart-joy fill-current')}
        />
      }
      onClick={() => toggle(!isMine)}
      className="relative z-10 aria-pressed:text-wax-ink"
    />
  )
}
