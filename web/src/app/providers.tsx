import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { SessionProvider } from '#web/features/auth/session.tsx'
import { createQueryClient } from '#web/lib/query-client.ts'
import { Toasts } from '#web/ui/toasts.tsx'

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        {children}
        <Toasts />
      </SessionProvider>
    </QueryClientProvider>
  )
}
