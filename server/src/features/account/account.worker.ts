import type { AppContext } from '#server/context.ts'
import { type Handler, handles } from '#server/platform/jobs/work.ts'
import { eraseRemains } from './account.jobs.ts'
import { erase } from './account.service.ts'

export const accountHandlers: readonly Handler<AppContext>[] = [handles(eraseRemains, erase)]
