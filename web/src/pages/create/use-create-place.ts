import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { KINDS } from '#contract/kinds.ts'
import { VISIBILITIES } from '#contract/revelations.ts'
import {
  STEPS,
  type Step,
  type StoredDraft,
} from '#web/features/revelations/drafts/draft-schema.ts'
import type { DraftWish } from '#web/features/revelations/revelation-draft.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { paths } from '#web/lib/paths.ts'
import { storedValue } from '#web/lib/storage.ts'
import type { Writing } from './use-writing.ts'

/** The names of the steps in the address; the first has none. */
const NAMES: Record<Exclude<Step, 'whom'>, string> = {
  letter: 'lettre',
  when: 'quand',
  seal: 'sceller',
}
const ALL = 'tout'
const STEPWISE = 'etapes'

/** How one last chose to write, on this device. */
const storedView = storedValue('create-view', (value) =>
  value === ALL || value === STEPWISE ? value : undefined,
)

/** What was sealed, by its draft, in this tab: the steps that the history has of it lead nowhere any more. */
const sealedDrafts = new Map<string, string>()

export type CreatePlace = ReturnType<typeof useCreatePlace>

/** Where one is on this page, as its address says: which draft, which step, or all at once. */
export function useCreatePlace() {
  const { search, state } = useLocation()
  const { from, isNew } = (state ?? {}) as { from?: Step; isNew?: boolean }
  const navigate = useNavigate()
  const params = new URLSearchParams(search)
  const view = params.get('vue') ?? (params.has('etape') ? STEPWISE : storedView.read())
  const isAll = view === ALL
  const draftId = params.get('brouillon') ?? undefined
  const addressedId = params.get('scellee') ?? undefined
  useEffect(() => {
    if (draftId && addressedId) sealedDrafts.set(draftId, addressedId)
  }, [draftId, addressedId])
  const rename = () =>
    navigate(`${paths.create}?${params}`, { replace: true, preventScrollReset: true })
  const go = (to: { draftId: string; step?: Step; view?: string }, replace: boolean) => {
    const next = new URLSearchParams({ brouillon: to.draftId })
    if (to.step && to.step !== 'whom') next.set('etape', NAMES[to.step])
    if (to.view) next.set('vue', to.view)
    const options = { replace, preventScrollReset: true, state: replace ? null : { from: step } }
    return navigate(`${paths.create}?${next}`, options)
  }
  const step = STEPS.find((one) => one !== 'whom' && NAMES[one] === params.get('etape')) ?? 'whom'
  return {
    draftId,
    isAll,
    step,
    /** The step that the entry of the history before this one shows, where it is of this letter. */
    from,
    /** What was sealed at this place, or of this draft. */
    sealedId: addressedId ?? sealedDrafts.get(draftId ?? ''),
    /** The address says it; else this is one of its steps. */
    isSealedPage: addressedId !== undefined,
    isBack: useIsBack(),
    nameSealed: (id: string) => {
      params.set('scellee', id)
      void rename()
    },
    /** Asked for another letter, whatever was begun. */
    isNew: isNew === true,
    /** The address of a draft that was opened. */
    nameDraft: ({ id }: StoredDraft) => {
      if (id === draftId) return
      params.delete('visibilite')
      params.delete('genre')
      params.set('brouillon', id)
      void rename()
    },
    goTo: (id: string, step: Step, { replace = false } = {}) => {
      const isNamed = isAll || params.has('vue')
      return go({ draftId: id, step, ...(isNamed && { view: isAll ? ALL : STEPWISE }) }, replace)
    },
    /** The other way to write the same letter. */
    switchView: (id: string, step: Step) => {
      storedView.write(isAll ? STEPWISE : ALL)
      return isAll
        ? go({ draftId: id, step, view: STEPWISE }, true)
        : go({ draftId: id, view: ALL }, true)
    },
    resume: ({ id, step }: StoredDraft) =>
      isAll ? go({ draftId: id, view: ALL }, false) : go({ draftId: id, step }, false),
  }
}

/** The page of this site from which one came, or home where there is none. */
export function useGoBack(): () => void {
  const navigate = useNavigate()
  return () => (historyIndex() > 0 ? navigate(-1) : navigate(paths.home, { replace: true }))
}

/** How many pages of this site are before this one, as the router counts them. */
function historyIndex(): number {
  return (window.history.state as { idx?: number } | null)?.idx ?? 0
}

/** Whether one came to this entry of the history from a later one. */
function useIsBack(): boolean {
  const { key } = useLocation()
  const [at, setAt] = useState({ key, index: historyIndex(), isBack: false })
  if (at.key !== key) {
    const index = historyIndex()
    setAt({ key, index, isBack: index < at.index })
  }
  return at.isBack
}

/** Each step has its address, its place on the device, and begins at its heading. */
export function useShownStep(
  step: Step | 'sealed',
  place: CreatePlace,
  { id, autosave, sealed }: Pick<Writing, 'id' | 'autosave' | 'sealed'>,
): void {
  const navigation = useNavigationType()
  const page = place.isAll && step !== 'seal' && step !== 'sealed' ? 'all' : step
  const shown = useRef(page)
  // The browser goes back to where one was; the address of a step that one goes on to follows the step.
  const isReturn = navigation === 'POP' && place.step === step
  useLayoutEffect(() => {
    if (shown.current === page) return
    shown.current = page
    requestHeadingFocus()
    if (!isReturn) window.scrollTo(0, 0)
  }, [page, isReturn])
  const isFirst = useRef(true)
  const show = useEffectEvent(() => {
    if (step === 'sealed') return sealed && place.nameSealed(sealed.revelation.id)
    // Whoever sees all at once goes back to the step they left.
    if (!place.isAll && autosave.now().step !== step) autosave.update({ step })
    if (place.step !== step) place.goTo(id, step, { replace: isFirst.current })
    isFirst.current = false
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown
  useEffect(() => void show(), [step])
}

/**
 * What the link to this page asks for: a kind or an audience in its address; whom it answers in the state of the history, since
 * an address has no place in one of a page. Both are asked once: whoever comes back finds the letter as they left it.
 */
export function useWish(): DraftWish {
  const { search, state } = useLocation()
  const params = new URLSearchParams(search)
  return {
    kind: KINDS.find((kind) => kind === params.get('genre')),
    visibility: VISIBILITIES.find((visibility) => visibility === params.get('visibilite')),
    addressee: (state as { addressee?: string } | null)?.addressee,
  }
}
