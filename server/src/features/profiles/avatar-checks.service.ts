import type { AppContext } from '#server/context.ts'
import { listPages } from '#server/platform/database/db.ts'
import { type Checked, damageOf } from '#server/platform/sealing/checked.ts'
import { type AvatarRow, findAvatar, listAvatars } from './avatars.repository.ts'
import { openAvatar } from './avatars.service.ts'

const PAGE = 200

/** Opens every picture and reports the damaged ones. */
export async function* checkAvatars(ctx: AppContext): AsyncGenerator<Checked> {
  const pages = listPages<AvatarRow>(PAGE, (after, limit) =>
    listAvatars(ctx.db, after?.userId, limit),
  )
  for await (const page of pages) {
    for (const avatar of page) {
      const problem = await problemOf(ctx, avatar)
      if (problem !== undefined && !(await isStillThere(ctx, avatar))) continue
      const { userId, sizeBytes } = avatar
      yield { name: `picture of ${userId}`, sizeBytes, ...(problem ? { problem } : {}) }
    }
  }
}

async function isStillThere(ctx: AppContext, avatar: AvatarRow): Promise<boolean> {
  return (await findAvatar(ctx.db, avatar.userId))?.storageKey === avatar.storageKey
}

async function problemOf(ctx: AppContext, avatar: AvatarRow): Promise<string | undefined> {
  try {
    const { length } = await openAvatar(ctx, avatar)
    return length === avatar.sizeBytes ? undefined : 'it is cut'
  } catch (error) {
    return damageOf(error)
  }
}
