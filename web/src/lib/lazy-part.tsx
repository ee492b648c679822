import { type ComponentType, lazy, type ReactNode, useState } from 'react'

/** A component whose code comes when it is shown, unless it was fetched before: it is then there at once. */
export interface LazyPart<Props = object> {
  (props: Props): ReactNode
  /** To be called before anything is rendered: where the server made this part, the browser finds it again. */
  fetch: () => Promise<unknown>
}

type AnyPart = (props: never) => ReactNode
type PropsOf<Part> = Part extends (props: infer Props extends object) => ReactNode ? Props : object

export function lazyPart<Name extends string, Part extends AnyPart>(
  load: () => Promise<Record<Name, Part>>,
  name: Name,
): LazyPart<PropsOf<Part>> {
  type Props = PropsOf<Part>
  const fetchPart = async () => (await load())[name] as unknown as ComponentType<Props>
  let Fetched: ComponentType<Props> | undefined
  const Later = lazy(async () => ({
    default: await fetchPart(),
  })) as unknown as ComponentType<Props>
  const Part = (props: Props) => {
    const [Shown] = useState<ComponentType<Props>>(() => Fetched ?? Later)
    return <Shown {...props} />
  }
  Part.fetch = async () => {
    Fetched = await fetchPart()
  }
  return Part
}
