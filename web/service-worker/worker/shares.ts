import { SHARE_TARGET, storeShared } from '../../src/features/uploads/shared-store.ts'

const CREATE = '/create'

export function isShare(request: Request, { pathname }: URL): boolean {
  return request.method === 'POST' && pathname === SHARE_TARGET
}

/** Stores what another app shares on the device, and opens the page where it becomes a letter. */
export async function receiveShare(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    const textOf = (name: string) => {
      const value = form.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    await storeShared({
      title: textOf('title'),
      text: [textOf('text'), textOf('url')].filter(Boolean).join('\n'),
      files: form.getAll('file').filter((file) => file instanceof File && file.size > 0) as File[],
      sharedAtMs: Date.now(),
    })
  } catch {
    // Without storage, the file can still be chosen on the page.
  }
  return Response.redirect(CREATE, 303)
}
