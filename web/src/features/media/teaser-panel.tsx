import { Eye, Scissors } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatPlace, formatSeconds } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import { TeaserEditor } from './teaser-editor.tsx'
import { lengthOf, validateTeaser } from './teaser-window.ts'
import type { Attachment } from './use-attachment.ts'

/** Who can watch the teaser before the reveal. */
export interface TeaserAudience {
  title: string
  words: string
}

interface TeaserPanelProps {
  attachment: Attachment
  audience: TeaserAudience
  error?: string | undefined
}

/** Chooses what to show of a video before the reveal: a window, or nothing. */
export function TeaserPanel({ attachment, audience, error }: TeaserPanelProps) {
  const { teaser, setTeaser, chooseTeaser, previewUrl, duration } = attachment
  return (
    <section
      aria-labelledby="teaser-title"
      className="flex flex-col gap-4 border-line border-t pt-5 sm:rounded-field sm:border sm:bg-ground sm:p-5"
    >
      <div>
        <h3 id="teaser-title" className="flex items-center gap-2 text-xl">
          <Scissors aria-hidden="true" className="size-5 text-ember-ink" />
          L’extrait
        </h3>
        <p className="mt-1 flex items-start gap-2 text-ink-soft text-sm">
          <Eye aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ember-ink" />
          <span>
            <strong className="text-ember-ink">{audience.title}</strong> {audience.words} Rien
            d’autre de la vidéo n’est montré avant la date.
          </span>
        </p>
      </div>
      {duration === undefined && (
        <p className="text-ink-soft">
          La durée de cette vidéo sera connue à la fin de l’envoi&#8239;: vous choisirez l’extrait à
          ce moment-là.
        </p>
      )}
      {duration !== undefined && teaser.state === 'editing' && (
        <>
          <TeaserEditor
            src={previewUrl}
            duration={duration}
            window={teaser.window}
            onChange={(window) => setTeaser({ state: 'editing', window })}
          />
          <div className="flex flex-col gap-2 xs:flex-row">
            <Button
              disabled={validateTeaser(teaser.window, duration) !== undefined}
              onClick={() => setTeaser({ state: 'chosen', window: teaser.window })}
            >
              Garder cet extrait
            </Button>
            <Button variant="secondary" onClick={() => setTeaser({ state: 'none' })}>
              Sans extrait
            </Button>
          </div>
        </>
      )}
      {duration !== undefined && teaser.state === 'chosen' && (
        <Summary
          text={`De ${formatPlace(teaser.window.start)} à ${formatPlace(teaser.window.end)}, ${formatSeconds(lengthOf(teaser.window))}`}
        >
          <Button
            variant="secondary"
            onClick={() => setTeaser({ state: 'editing', window: teaser.window })}
          >
            Modifier l’extrait
          </Button>
          <Button variant="ghost" onClick={() => setTeaser({ state: 'none' })}>
            Sans extrait
          </Button>
        </Summary>
      )}
      {duration !== undefined && teaser.state === 'none' && (
        <Summary text="Sans extrait&#8239;: personne ne voit rien de la vidéo avant la date.">
          <Button variant="secondary" disabled={duration < 1} onClick={chooseTeaser}>
            Choisir un extrait
          </Button>
        </Summary>
      )}
      {error && <FieldError id="teaser-error">{error}</FieldError>}
    </section>
  )
}

function Summary({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="tabular-digits whitespace-normal! font-semibold">{text}</p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  )
}
