import { Heart } from 'lucide-react'
import type { Sound } from '#contract/sounds.ts'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

interface FavoriteButtonProps {
  sound: Sound
  onTurn: (sound: Sound) => void
}

export function FavoriteButton({ sound, onTurn }: FavoriteButtonProps) {
  const isMine = sound.is_favorite
  return (
    <IconButton
      label={`Favori\u00A0: ${sound.title}`}
      aria-pressed={isMine}
      title={isMine ? 'Retirer des favoris' : 'Ajouter aux favoris'}
      icon={
        <Heart
          aria-hidden="true"
          className={classNames('size-5', isMine && 'heart-joy fill-current')}
        />
      }
      onClick={() => onTurn(sound)}
      className="relative z-10 aria-pressed:text-wax-ink"
    />
  )
}
