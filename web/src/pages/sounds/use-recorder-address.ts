import { useState } from 'react'
import { useSearchParams } from 'react-router'

const RECIPIENT = 'pour'

type Opened = 'recorder' | 'import' | undefined

/** Which dialog is open; `?pour=<id>` in the address opens the recorder with that person chosen. */
export function useRecorderAddress() {
  const [params, setParams] = useSearchParams()
  const [opened, open] = useState<Opened>()
  const recipientId = params.get(RECIPIENT) ?? undefined
  return {
    opened: opened ?? (recipientId ? ('recorder' as const) : undefined),
    recipientId,
    record: () => open('recorder'),
    importFile: () => open('import'),
    close: () => {
      open(undefined)
      // Going back must not open it again.
      if (recipientId) setParams(without(params), { replace: true, preventScrollReset: true })
    },
  }
}

function without(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params)
  rest.delete(RECIPIENT)
  return rest
}
