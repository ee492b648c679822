import { useSearchParams } from 'react-router'
import { VISIBILITIES, type Visibility } from '#contract/revelations.ts'

/** For whom one came here to write, when the link that led here says so; what was being written keeps its own. */
export function useWantedVisibility(): Visibility | undefined {
  const [params] = useSearchParams()
  const wanted = params.get('visibilite')
  return VISIBILITIES.find((visibility) => visibility === wanted)
}
