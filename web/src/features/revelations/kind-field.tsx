import { Check } from 'lucide-react'
import { type ComponentType, type SVGProps, useId } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { KIND_NOUNS, KIND_VISIBILITY, KINDS, type Kind } from '#contract/kinds.ts'
import { fieldProps } from '#web/lib/forms.ts'
import Announcement from '#web/ui/art/kind-announcement.svg?react'
import Capsule from '#web/ui/art/kind-capsule.svg?react'
import Letter from '#web/ui/art/kind-letter.svg?react'
import Prediction from '#web/ui/art/kind-prediction.svg?react'
import { Select } from '#web/ui/select.tsx'
import type { RevelationDraft } from './revelation-draft.ts'
import { useOwnRecipient } from './use-own-recipient.ts'

interface KindCard {
  title: string
  line: string
  art: ComponentType<SVGProps<SVGSVGElement>>
}

export const KIND_CARDS: Readonly<Record<Kind, KindCard>> = {
  letter: {
    title: 'Une lettre',
    line: 'À quelqu’un que vous aimez. Personne d’autre ne la voit.',
    art: Letter,
  },
  prediction: {
    title: 'Une prédiction',
    line: 'Dites ce qui arrivera. Tout le monde verra si vous aviez raison.',
    art: Prediction,
  },
  capsule: {
    title: 'Une capsule pour moi',
    line: 'À vous-même, plus tard.',
    art: Capsule,
  },
  announcement: {
    title: 'Une annonce',
    line: 'Une nouvelle qui attend son jour, pour tout le monde.',
    art: Announcement,
  },
}

interface KindFieldProps {
  /** Null until one is chosen. */
  value: Kind | null
  onChange: (kind: Kind) => void
  /** The heading of the page says it. */
  hideLegend?: boolean
}

/** What one seals: four cards, each with its picture, of which one is chosen. */
export function KindField({ value, onChange, hideLegend = false }: KindFieldProps) {
  const id = useId()
  return (
    <div role="radiogroup" aria-labelledby={`${id}-legend`} className="@container min-w-0">
      <p id={`${id}-legend`} className={hideLegend ? 'sr-only' : 'mb-2 font-semibold'}>
        Pour qui, et pourquoi&#8239;?
      </p>
      <div className="grid grid-cols-2 gap-2.5 @max-3xs:grid-cols-1 @2xl:grid-cols-4">
        {KINDS.map((kind) => (
          <Card key={kind} kind={kind} isChosen={kind === value} onChoose={() => onChange(kind)} />
        ))}
      </div>
    </div>
  )
}

function Card({
  kind,
  isChosen,
  onChoose,
}: {
  kind: Kind
  isChosen: boolean
  onChoose: () => void
}) {
  const { title, line, art: Art } = KIND_CARDS[kind]
  const id = useId()
  return (
    <label className="relative flex flex-col overflow-hidden rounded-card border border-line-strong bg-surface transition-colors hover:bg-sunken has-checked:bg-sunken has-checked:ring-2 has-checked:ring-ink has-checked:ring-inset has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2">
      <input
        type="radio"
        name="kind"
        value={kind}
        checked={isChosen}
        onChange={onChoose}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-line`}
        className="peer absolute inset-0 size-full appearance-none opacity-0"
      />
      <Check
        aria-hidden="true"
        strokeWidth={3}
        className="absolute top-2 right-2 hidden size-5 rounded-full bg-surface p-1 text-ink peer-checked:block"
      />
      <span className="theme-night bg-night-card m-1 flex justify-center rounded-[10px]">
        <Art className="h-20 w-auto sm:h-24" />
      </span>
      <span className="px-3 pt-1.5 pb-3 leading-snug">
        <span id={`${id}-title`} className="block font-semibold">
          {title}
        </span>
        <span id={`${id}-line`} className="mt-0.5 block text-ink-soft text-sm">
          {line}
        </span>
      </span>
    </label>
  )
}

/** The same where it was chosen before: a list, on the page that edits. */
export function KindSelect({ form }: { form: UseFormReturn<RevelationDraft> }) {
  return (
    <Select
      label="Genre"
      options={KINDS.map((value) => ({ value, label: KIND_NOUNS[value].name }))}
      className="sm:max-w-64"
      {...fieldProps(form, 'kind')}
    />
  )
}

/** Chooses a kind with what it begins with: who sees the revelation, and its author as the recipient unless it is a letter. */
export function useKindChoice(form: UseFormReturn<RevelationDraft>): (kind: Kind) => void {
  const ownRecipient = useOwnRecipient(form)
  return (kind) => {
    form.setValue('kind', kind, { shouldDirty: true })
    form.setValue('visibility', KIND_VISIBILITY[kind], { shouldDirty: true })
    if (kind === 'letter') ownRecipient.withdraw()
    else ownRecipient.fillIn()
  }
}
