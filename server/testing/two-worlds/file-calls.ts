import type { FileType } from '#contract/revelations.ts'
import { type AddressedVariant, urlOf } from '#server/features/media/file-names.rules.ts'
import { createTicket } from '#server/features/media/file-serving.service.ts'
import type { Call } from './calls.ts'
import type { Credentials, SentFile } from './story.ts'
import type { Door } from './trace.ts'
import type { World } from './worlds.ts'

const PREPARED: Record<FileType, AddressedVariant> = {
  video: 'mobile',
  image: 'image',
  audio: 'audio',
  document: 'original',
}

function variantAt(door: Door, kind: FileType): AddressedVariant {
  switch (door) {
    case 'original':
      return 'original'
    case 'variant':
      return PREPARED[kind]
    case 'thumbnail':
      return 'thumbnail_complete'
    case 'teaser':
      return 'teaser'
    case 'poster':
      return 'thumbnail_teaser'
  }
}

/** A file with a ticket of the server for this very person, so that only the gate can refuse. */
export function fileRequest(
  world: World,
  file: SentFile,
  door: Door,
  credentials: Credentials,
): Call {
  const variant = variantAt(door, file.kind)
  const { ctx } = world.server
  const { id } = file.sent[world.name]
  const ticket = createTicket(ctx, id, variant, holderOf(world, credentials))
  return { method: 'GET', path: `${addressOf(world, file, variant)}?token=${ticket}` }
}

export function addressOf(world: World, file: SentFile, variant: AddressedVariant): string {
  return urlOf(file.sent[world.name], variant)
}

function holderOf(world: World, { by, item }: Credentials): string {
  if (by === 'visitor') return 'visitor'
  if (by === 'bearer') return `key:${item?.deliveries[world.name].id ?? ''}`
  return `session:${world.people[by].sessionId}`
}

/** Every call about the preparation of a file. */
export function jobRequests(file: SentFile | undefined): ((world: World) => Call)[] {
  if (!file) return []
  return [
    ...file.sent.A.jobIds.map((_, index) => ({ name }: World) => ({
      method: 'GET',
      path: `/api/jobs/status/${file.sent[name].jobIds[index]}`,
    })),
    ({ name }) => ({
      method: 'POST',
      path: '/api/jobs/batch-status',
      body: { jobIds: file.sent[name].jobIds },
    }),
    () => ({ method: 'GET', path: '/api/jobs/stats' }),
  ]
}
