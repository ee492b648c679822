import type { ReactNode } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { INKS, type Ink, PAPERS, type Paper } from '#contract/revelations.ts'
import { FormChoiceTiles } from '#web/ui/form-controls.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { FoldedSection } from './form-section.tsx'
import type { RevelationDraft } from './revelation-draft.ts'
import { INK_LABELS, PAPER_LABELS, stationeryInWords } from './revelation-labels.ts'

interface StationeryProps {
  form: UseFormReturn<RevelationDraft>
}

interface StationerySectionProps extends StationeryProps {
  /** What is in it, made when it is first unfolded. */
  children: ReactNode
}

/** The paper and the ink of the letter. */
export function StationerySection({ form, children }: StationerySectionProps) {
  const [paper, ink] = useWatch({ control: form.control, name: ['paper', 'ink'] })
  const { errors } = form.formState
  return (
    <FoldedSection
      title="Papier et encre"
      hint={`${stationeryInWords({ paper, ink })}. On les voit quand elle est ouverte.`}
      isUsed={paper !== PAPERS[0] || ink !== INKS[0] || Boolean(errors.paper ?? errors.ink)}
      isLazy
    >
      {children}
    </FoldedSection>
  )
}

interface StationeryChoiceProps extends StationeryProps {
  /** Whether the plan gives all of them; undefined while it is not known. */
  mayChoose: boolean | undefined
  /** Leads to the plans that do. */
  plansLink: ReactNode
}

/** What the plan lets one choose; without any, what there is, and the way to it. */
export function StationeryChoice({ form, mayChoose, plansLink }: StationeryChoiceProps) {
  const [paper, ink] = useWatch({ control: form.control, name: ['paper', 'ink'] })
  // What the letter has already it may keep, after the end of a plan too.
  const { defaultValues } = form.formState
  const own = [paper, ink, defaultValues?.paper, defaultValues?.ink]
  const offered = <Value extends Paper | Ink>(values: readonly Value[]) =>
    values.filter((value, at) => mayChoose || at === 0 || own.includes(value))
  const papers = offered(PAPERS)
  const inks = offered(INKS)
  return (
    <>
      {papers.length > 1 && (
        <FormChoiceTiles
          form={form}
          name="paper"
          legend="Papier"
          choices={papers.map((value) => ({
            value,
            ...PAPER_LABELS[value],
            icon: <Swatch paper={value} ink={ink} />,
          }))}
        />
      )}
      {inks.length > 1 && (
        <FormChoiceTiles
          form={form}
          name="ink"
          legend="Encre"
          choices={inks.map((value) => ({
            value,
            label: INK_LABELS[value],
            icon: <Swatch paper={paper} ink={value} />,
          }))}
        />
      )}
      {mayChoose === false && <Offer plansLink={plansLink} />}
    </>
  )
}

interface SwatchProps {
  paper: Paper
  ink: Ink
  className?: string
}

/** A corner of the paper with a word in the ink. */
function Swatch({ paper, ink, className = 'h-11 w-14 text-xl' }: SwatchProps) {
  return (
    <span
      data-paper={paper}
      data-ink={ink}
      className={`theme-paper ${className} flex items-center justify-center rounded-field border border-line bg-surface font-serif text-letter-ink`}
    >
      Aa
    </span>
  )
}

/** What a plan with themes would give. */
function Offer({ plansLink }: Pick<StationeryChoiceProps, 'plansLink'>) {
  return (
    <>
      <ul className="grid grid-cols-3 gap-3 text-center text-sm">
        {PAPERS.map((paper, at) => (
          <li key={paper} className="flex min-w-0 flex-col gap-1.5">
            <Swatch paper={paper} ink={INKS[at % 2] ?? INKS[0]} className="h-20 w-full text-3xl" />
            {PAPER_LABELS[paper].label}
          </li>
        ))}
      </ul>
      <Notice action={plansLink}>
        Les plans Standard, Pro et Illimité donnent le choix de trois papiers et de deux encres.
      </Notice>
    </>
  )
}
