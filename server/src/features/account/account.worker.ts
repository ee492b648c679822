import type { AppContext } from '#server/context.ts'
import { type Handler, handleJob } from '#server/platform/jobs/jobs.ts'
import { erase, eraseRemains } from './account.service.ts'

export const accountHandlers: readonly Handler<AppContext>[] = [handleJob(eraseRemains, erase)]
