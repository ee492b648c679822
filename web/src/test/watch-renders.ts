import { onTestFinished } from 'vitest'

/** What a walk needs of React's own tree, as its developer tools read it. */
interface Fiber {
  type: unknown
  flags: number
  alternate: Fiber | null
  child: Fiber | null
  sibling: Fiber | null
}

const PERFORMED_WORK = 1

let onCommit: ((root: Fiber) => void) | undefined

// React looks for this when it is loaded, and tells it of every change of the page.
Object.assign(globalThis, {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: (_: number, { current }: { current: Fiber }) => onCommit?.(current),
    onCommitFiberUnmount: () => undefined,
  },
})

/** The components that were rendered since, by name. */
export function watchRenders(): string[] {
  const rendered: string[] = []
  onCommit = (root) => collect(root, rendered)
  onTestFinished(() => {
    onCommit = undefined
  })
  return rendered
}

/** A part that React did not visit again is the very one it was before. */
function collect(fiber: Fiber, rendered: string[]): void {
  const before = fiber.alternate
  if (!before || fiber.flags & PERFORMED_WORK) {
    const name = nameOf(fiber.type)
    if (name) rendered.push(name)
  }
  if (before && before.child === fiber.child) return
  for (let child = fiber.child; child; child = child.sibling) collect(child, rendered)
}

function nameOf(type: unknown): string | undefined {
  if (typeof type === 'function') return type.name
  if (typeof type === 'object' && type !== null && 'type' in type) return nameOf(type.type)
  return undefined
}
